import Gatebook
import GatebookEvents
import Testing

@testable import GatebookFleet

struct PersonBurstsTests {
  /// Events of books at moments in seconds.
  private func bursts(_ events: (book: UInt64, at: Int64)...) -> [PersonBursts.Burst] {
    PersonBursts.all(
      events.map { event in
        PersonBursts.Event(
          place: PersonBursts.Place(
            book: BookID(high: event.book, low: 0), branch: 0, account: AccountID(high: 1, low: 1)),
          at: Timestamp(rawValue: event.at * 1_000_000), count: 1)
      }, machines: 3, within: .seconds(10))
  }

  @Test func `as many machines within the time are a burst`() {
    #expect(bursts((1, 0), (2, 5)).isEmpty)
    #expect(bursts((1, 0), (2, 5), (1, 6), (2, 7)).isEmpty)
    #expect(bursts((1, 0), (2, 5), (3, 11)).isEmpty)
    let found = bursts((3, 10), (2, 5), (1, 0))
    #expect(found.count == 1)
    #expect(found.first?.machines == 3)
    #expect(found.first?.count == 3)
    #expect(found.first?.first == Timestamp(rawValue: 0))
    #expect(found.first?.last == Timestamp(rawValue: 10_000_000))
  }

  @Test func `what is too old is left out, and what follows belongs to it`() {
    let found = bursts((1, 0), (1, 11), (2, 12), (3, 13), (4, 23), (1, 33), (2, 44), (3, 45))
    #expect(found.count == 1)
    #expect(found.first?.machines == 4)
    #expect(found.first?.count == 5)
    #expect(found.first?.first == Timestamp(rawValue: 11_000_000))
    #expect(found.first?.last == Timestamp(rawValue: 33_000_000))
  }

  @Test func `after a burst the count begins again`() {
    let found = bursts((1, 0), (2, 1), (3, 2), (1, 100), (2, 101), (3, 102), (3, 200), (1, 201))
    #expect(found.map(\.count) == [3, 3])
    #expect(found.map(\.machines) == [3, 3])
  }
}
