import CSQLite
import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet
@testable import GatebookStore

/// Books with more than one history, with losses, or without encrypted facts.
@Suite struct ForgetHistoriesTests {
  /// A book of 309 events, and a copy that leaves it after event 209.
  private func forked(
    _ fleet: TestFleet
  ) async throws -> (book: TestBook, copy: TestBook) {
    let book = try await TestBook.written(events: 200)
    try await fleet.ship(book)
    let copy = try book.copied()
    try await book.grow(by: 200)
    copy.clock.advance(by: .seconds(3))
    try await copy.grow(by: 300)
    try await fleet.ship(book)
    try await fleet.ship(copy)
    return (book, copy)
  }

  private func expectPulled(
    _ fleet: TestFleet, _ branch: Int, asOf book: TestBook,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let folder = try TestFolder()
    let path = folder.file("pulled")
    let report = try await FleetPull(from: try fleet.access(.auditor)).pull(
      "laptop", branch: branch, to: path)
    #expect(report.root == (try book.reader().head().root), sourceLocation: sourceLocation)
    let pulled = try BookReader.open(at: path)
    let own = try book.reader(hasKey: false)
    #expect(try pulled.accounts() == own.accounts(), sourceLocation: sourceLocation)
    let after = EventFilter(after: Position(rawValue: report.first.rawValue - 1))
    #expect(try pulled.events(after) == own.events(after), sourceLocation: sourceLocation)
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(verdict.problems)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [100, 209, 210, 300, 400])
  func `each history keeps what it needs`(_ position: Int64) async throws {
    let fleet = try await TestFleet()
    let (book, copy) = try await forked(fleet)
    let moment = try book.moment(of: position)
    let ends = [try book.end(before: moment), try copy.end(before: moment)]
    let report = try await fleet.forget(before: moment)
    #expect(report.ok)
    #expect(try fleet.events() == Array(ends[0] + 1...409))
    #expect(try fleet.events(branch: 1) == Array(max(210, ends[1] + 1)...509))
    try await fleet.expectVerified(forgotten: [ends[0], max(0, ends[1] - 209)])
    try await expectPulled(fleet, 0, asOf: book)
    try await expectPulled(fleet, 1, asOf: copy)
    for (branch, one) in [(0, book), (1, copy)] {
      try await one.grow(by: 20)
      let shipped = try await fleet.ship(one)
      #expect(shipped.branch == branch)
      #expect(shipped.events == 20)
    }
    try await fleet.expectVerified()
    let rest = try await fleet.forget(before: book.clock.now().wall)
    #expect(rest.ok)
    try await fleet.expectVerified()
    try await expectPulled(fleet, 0, asOf: book)
    try await expectPulled(fleet, 1, asOf: copy)
  }

  @Test func `a copy that leaves the book after what was forgotten shares the rest`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 400)
    try await fleet.ship(book)
    let end = try await fleet.forget(book, before: 200)
    let copy = try book.copied()
    try await book.grow(by: 50)
    try await copy.grow(by: 60)
    try await fleet.ship(book)
    #expect(try await fleet.ship(copy).forkedAfter?.rawValue == 409)
    try await fleet.expectVerified(forgotten: [end, 0])
    try await expectPulled(fleet, 1, asOf: copy)
    #expect(try await fleet.ship(copy).events == 0)
    let moment = try book.moment(of: 300)
    let next = try await fleet.forget(before: moment)
    // The copy has old events only in the history that it left.
    #expect(next.forgotten.map(\.book.branch) == [0])
    try await fleet.expectVerified()
    try await expectPulled(fleet, 1, asOf: copy)
  }

  @Test func `events beside lost ones are kept until the recovery is old`() async throws {
    let fleet = try await TestFleet()
    let damaged = try await TestBook.written(events: 300)
    let connection = try Connection.open(damaged.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET at = at + 1 WHERE position BETWEEN 50 AND 60")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let book = try TestBook()
    _ = try await BookRecovery(
      path: damaged.path, program: TestBook.program, clock: damaged.clock
    ).recover(to: book.path)
    let key = try #require(OpenFile.open(book.keyPath, .new))
    #expect(key.write(try #require(Files.content(of: damaged.keyPath))))
    book.clock.set(damaged.clock.now())
    book.clock.advance(by: .seconds(60))
    try await book.grow(by: 200)
    try await fleet.ship(book)
    for position in [40, 200] as [Int64] {
      let kept = try await fleet.forget(before: book.moment(of: position))
      #expect(kept.forgotten.isEmpty)
      #expect(kept.kept.map(\.reason) == [.unproven])
      #expect(kept.ok)
    }
    let report = try await fleet.forget(before: book.moment(of: 420))
    #expect(report.kept.isEmpty)
    let end = try book.end(before: book.moment(of: 420))
    #expect(report.forgotten.map(\.last.rawValue) == [end])
    #expect(report.events == end - 11)
    #expect(try fleet.rows("SELECT lost FROM gatebook.branch") == ["({})"])
    try await fleet.expectVerified(forgotten: [end - 11])
    try await expectPulled(fleet, 0, asOf: book)
  }

  @Test func `a book that is recovered later is pulled and verified`() async throws {
    let fleet = try await TestFleet()
    let damaged = try await TestBook.written(events: 400)
    try await fleet.ship(damaged)
    let end = try await fleet.forget(damaged, before: 200)
    try await damaged.grow(by: 100)
    let connection = try Connection.open(damaged.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET at = at + 1 WHERE position BETWEEN 450 AND 460")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let book = try TestBook()
    _ = try await BookRecovery(
      path: damaged.path, program: TestBook.program, clock: damaged.clock
    ).recover(to: book.path)
    let key = try #require(OpenFile.open(book.keyPath, .new))
    #expect(key.write(try #require(Files.content(of: damaged.keyPath))))
    book.clock.set(damaged.clock.now())
    try await book.grow(by: 30)
    let shipped = try await fleet.ship(book)
    #expect(shipped.branch == 0)
    #expect(shipped.forkedAfter == nil)
    try await fleet.expectVerified(forgotten: [end])
    try await expectPulled(fleet, 0, asOf: book)
  }

  @Test func `a book without encrypted facts is forgotten too`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 400)
    let atHome = ShipmentOptions(machine: "laptop", sendsPersonal: false)
    try await fleet.ship(book, options: atHome)
    let withheld = try fleet.value("SELECT withheld FROM gatebook.branch")
    let end = try await fleet.forget(book, before: 200)
    #expect(try fleet.value("SELECT withheld FROM gatebook.branch") != withheld)
    let verdict = try await fleet.expectVerified(forgotten: [end])
    #expect(verdict.histories[0].withheld > 0)
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.past WHERE part LIKE '%opening_event'") == "0")
    await expect(.fleetWithheld) { () throws(GatebookError) in
      _ = try await FleetPull(from: try fleet.access(.auditor)).pull(nil, to: book.path + "-pull")
    }
    // The state after forgotten events is made of the former one.
    let later = try await fleet.forget(book, before: 350)
    try await book.grow(by: 20)
    try await fleet.ship(book, options: atHome)
    try await fleet.expectVerified(forgotten: [later])
    let accounts = try Asked(fleet: fleet).lines(["accounts", "--book", book.id.description])
    #expect(accounts.count == 2)
    #expect(
      try fleet.value("SELECT detail FROM gatebook.notice LIMIT 1")?.contains(
        "came without encrypted facts") == true)
  }
}
