import CSQLite
import Gatebook
import GatebookObservation
import GatebookTestSupport
import Observation
import Testing

@testable import GatebookStore

@MainActor @Suite(.timeLimit(.minutes(1)))
struct AccountRosterTests {
  @Test func `a view is notified when an account changes, and shows the present`() async throws {
    let world = try TestBook()
    let clock = HeldClock(holdsPauses: true)
    let server = BasicServer()
    let book = try await world.open(server.transport, clock: clock)
    let other = try await world.open(server.transport)
    let roster = AccountRoster(of: book)
    #expect(!roster.isLoaded)
    _ = await clock.sleeper()
    #expect(roster.isLoaded)
    #expect(roster.accounts.isEmpty)
    #expect(roster.current == nil)

    let isTold = TestBox(false)
    withObservationTracking {
      _ = roster.current
    } onChange: {
      isTold.value = true
    }
    let ada = try await other.logIn(.basic())
    #expect(!isTold.value)
    clock.wakeAll()
    _ = await clock.sleeper()
    #expect(isTold.value)
    #expect(roster.current?.id == ada.account)
    #expect(roster.accounts.map(\.state) == [.active])
    #expect(roster.error == nil)
  }

  @Test func `a roster that nobody keeps ends its look at the book`() async throws {
    let world = try TestBook()
    let clock = HeldClock(holdsPauses: true)
    let book = try await world.open(BasicServer().transport, clock: clock)
    var roster: AccountRoster? = AccountRoster(of: book)
    _ = await clock.sleeper()
    #expect(roster?.isLoaded == true)
    #expect(clock.sleeping == 1)
    roster = nil
    #expect(try await eventually { @Sendable in clock.sleeping == 0 })
  }

  @Test func `a book that cannot be read keeps its accounts, and says why until it can`()
    async throws
  {
    let world = try TestBook()
    let clock = HeldClock(holdsPauses: true)
    let server = BasicServer()
    let book = try await world.open(server.transport, clock: clock)
    let ada = try await book.logIn(.basic())
    let roster = AccountRoster(of: book)
    _ = await clock.sleeper()
    #expect(roster.error == nil)

    let file = try Connection.open(world.path, flags: SQLITE_OPEN_READWRITE)
    try file.execute("CREATE TEMP TABLE kept AS SELECT * FROM account_state")
    try file.execute("UPDATE account_state SET state = 'damaged'")
    clock.wakeAll()
    _ = await clock.sleeper()
    #expect(roster.error?.code == .storageDamaged)
    #expect(roster.isLoaded)
    #expect(roster.accounts.map(\.id) == [ada.account])

    try file.execute("UPDATE account_state SET state = (SELECT state FROM kept)")
    clock.wakeAll()
    _ = await clock.sleeper()
    #expect(roster.error == nil)
    #expect(roster.accounts.map(\.state) == [.active])
  }
}
