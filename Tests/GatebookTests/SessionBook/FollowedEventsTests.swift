import GatebookTestSupport
import Testing

@testable import Gatebook

/// Each look at the book happens when the test wakes who follows it.
@Suite(.timeLimit(.minutes(1)))
struct FollowedEventsTests {
  private let world: TestBook
  private let server = BasicServer()
  private let clock = HeldClock(holdsPauses: true)
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport, clock: clock)
  }

  private func collect(_ events: FollowedEvents) -> Task<[RecordedEvent], any Error> {
    Task {
      var found: [RecordedEvent] = []
      for try await event in events { found.append(event) }
      return found
    }
  }

  @Test(arguments: [1, 2, 1000])
  func `events that are there and events to come are each told once, in order`(
    _ batch: Int
  ) async throws {
    let ada = try await book.logIn(.basic())
    let following = collect(
      FollowedEvents(book, following: .start, matching: EventFilter(), batch: batch))
    _ = await clock.sleeper()
    let other = try await world.open(server.transport)
    _ = try await other.logOut(ada.account)
    clock.wakeAll()
    _ = await clock.sleeper()
    await book.close()
    clock.wakeAll()
    let all = try BookReader.open(at: world.path).events(EventFilter()).map(\.position)
    #expect(try await following.value.map(\.position) == all)
    #expect(all.count > 3)
  }

  @Test func `only matching events after the position come, whatever limit the filter has`()
    async throws
  {
    _ = try await book.logIn(.basic())
    let end = try #require(try await book.events(matching: EventFilter(limit: 1)).last).position
    let following = collect(
      book.events(
        following: end, matching: EventFilter(kind: "login.", after: .start, limit: 1)))
    _ = await clock.sleeper()
    _ = try await book.logIn(.basic())
    await book.close()
    clock.wakeAll()
    let told = try await following.value
    #expect(told.map(\.kind) == ["login.started", "login.succeeded"])
    #expect(told.allSatisfy { $0.position > end })
  }

  @Test func `a filter asks for events as it does of a reader`() async throws {
    _ = try await book.logIn(.basic())
    let failed = try await book.events(matching: EventFilter(failedOnly: true))
    #expect(failed.isEmpty)
    server.change(password: "byron")
    _ = try? await book.logIn(.basic())
    let filter = EventFilter(kind: "login.failed", limit: 1)
    #expect(try await book.events(matching: filter).map(\.kind) == ["login.failed"])
    let reader = try BookReader.open(at: world.path)
    #expect(try reader.events(filter).count == 1)
  }
}
