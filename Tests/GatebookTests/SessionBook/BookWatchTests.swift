import GatebookTestSupport
import Testing

@testable import Gatebook

@Suite(.timeLimit(.minutes(1)))
struct BookWatchTests {
  private static let failure = GatebookError(.storageBusy, "It is busy.", remedy: "Wait.")

  @Test func `after a failure the next look waits, and then finds what there is`() async throws {
    let world = try TestBook()
    let clock = HeldClock(holdsPauses: true)
    let book = try await world.open(BasicServer().transport, clock: clock)
    let isBroken = TestBox(true)
    let watching = Task {
      var watch = BookWatch(book)
      var codes: [FailureCode] = []
      while true {
        do throws(GatebookError) {
          let found = try await watch.next(always: false) { _ throws(GatebookError) -> Int? in
            if isBroken.value { throw Self.failure }
            return 7
          }
          return (codes, found)
        } catch {
          codes.append(error.code)
        }
      }
    }
    _ = await clock.sleeper()
    clock.wakeAll()
    // It has failed twice.
    _ = await clock.sleeper()
    isBroken.value = false
    clock.wakeAll()
    let (codes, found) = await watching.value
    #expect(codes == [.storageBusy, .storageBusy])
    #expect(found == 7)
  }

  @Test func `a book that nobody keeps is followed no longer`() async throws {
    let world = try TestBook()
    let clock = HeldClock(holdsPauses: true)
    weak var released: SessionBook?
    var watch: BookWatch
    do {
      let book = try await world.open(BasicServer().transport, clock: clock)
      released = book
      watch = BookWatch(book)
    }
    try #require(try await eventually { released == nil })
    #expect(try await watch.next(always: true) { _ throws(GatebookError) in 1 } == nil)
  }
}
