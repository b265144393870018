import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// Verifying and copying a book while its machine ships it.
@Suite struct WhileShippedTests {
  /// Ships a book until a halted statement, lets the body look at the fleet, and ships the rest.
  private func shipping(
    _ book: TestBook, _ fleet: TestFleet, haltedAt operation: String, into table: String,
    _ body: () async throws -> Void
  ) async throws {
    let halt = try Halt(fleet, when: operation, into: table)
    async let shipped = fleet.ship(book)
    try await halt.wait()
    do {
      try await body()
    } catch {
      try await halt.end()
      throw error
    }
    try await halt.end()
    _ = try await shipped
    try fleet.expectHas(book)
  }

  private func expectVerified(
    _ fleet: TestFleet, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let verdict = try await fleet.verify()
    #expect(verdict.ok, "\(verdict.histories.map(\.problems))", sourceLocation: sourceLocation)
  }

  @Test(arguments: [("INSERT", "event"), ("INSERT", "past"), ("UPDATE", "branch")])
  func `between the state that a book continues from and its event neither is seen alone`(
    _ operation: String, _ table: String
  ) async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    // The fleet's history begins after this archive, so it depends on the rows of the past.
    try book.putAway(try await book.archive("first.book"))
    try await book.grow(by: 20)
    try await stage.fleet.ship(book)
    _ = try await book.archive("second.book")
    try await book.grow(by: 20)
    try await shipping(book, stage.fleet, haltedAt: operation, into: table) {
      let report = try await stage.pull()
      #expect(report.events == 21)
      #expect(try await BookVerifier(path: stage.path).verify().ok)
      try await expectVerified(stage.fleet)
    }
    Files.remove(stage.path)
    // The second archive's events are in the fleet: the copy begins with them.
    #expect(try await stage.pull().book.size == 351)
    try await expectVerified(stage.fleet)
  }

  @Test func `a book that has no events in the fleet yet is not called damaged`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try book.putAway(try await book.archive())
    try await shipping(book, stage.fleet, haltedAt: "INSERT", into: "event") {
      let error = await expect(.fleetGap) { () throws(GatebookError) in try await stage.pull() }
      #expect(error?.message.contains("does not have all events of the beginning") == true)
      try await expectVerified(stage.fleet)
    }
    #expect(try await stage.pull().events == 1)
    try await expectVerified(stage.fleet)
  }

  @Test func `a recovered book of which a part is there is not called damaged`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 9000)
    try book.tamper(
      "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE position BETWEEN 400 AND 420")
    let path = stage.folder.file("recovered")
    _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    let fleet = stage.fleet
    // The first batch is in the fleet, and the next ones wait.
    try fleet.run(
      """
      CREATE FUNCTION public.halt_later() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
          IF (SELECT size FROM gatebook.branch) > 0 THEN PERFORM pg_advisory_xact_lock_shared(42); END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER halt_later AFTER INSERT ON gatebook.event
        FOR EACH STATEMENT EXECUTE FUNCTION public.halt_later();
      """)
    let lock = try fleet.connect()
    try lock.run("SELECT pg_advisory_lock(42)")
    let access = try fleet.access()
    async let shipped = BookShipment(of: path, key: book.key, to: access).ship()
    try await wait(for: "the first batch") {
      try fleet.value("SELECT max(size) > 0 FROM gatebook.branch") == "true"
    }
    await expect(.fleetGap) { () throws(GatebookError) in try await stage.pull() }
    try await expectVerified(fleet)
    try lock.run("SELECT pg_advisory_unlock(42)")
    _ = try await shipped
    try await expectVerified(fleet)
    #expect(try await stage.pull().events == 8989)
  }

  @Test func `a fleet is verified again and again while books are written and shipped`()
    async throws
  {
    let fleet = try await TestFleet()
    let books = [
      try await TestBook.written(events: 3000), try await TestBook.written(events: 200),
    ]
    let isOver = Locked(false)
    let shipping = Task { () async throws in
      defer { isOver.withLock { $0 = true } }
      for round in 0..<8 {
        for book in books {
          try await fleet.ship(book)
          try await book.grow(by: 60)
        }
        if round == 3 { _ = try await books[0].archive() }
        if round == 5 { try await books[1].append(.note("round \(round)")) }
      }
    }
    var rounds = 0
    repeat {
      try await expectVerified(fleet)
      rounds += 1
    } while !isOver.withLock { $0 }
    try await shipping.value
    #expect(rounds > 1)
    for book in books {
      try await fleet.ship(book)
      try fleet.expectHas(book)
    }
    try await expectVerified(fleet)
  }
}
