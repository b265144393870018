import Gatebook
import Testing

@testable import GatebookFleet

/// What a verification says of a fleet that nobody changed.
@Suite struct VerifyTests {
  @Test func `a whole fleet agrees with itself`() async throws {
    let fleet = try await TestFleet()
    let first = try await TestBook.written(events: 700)
    let second = try await TestBook.written(events: 20)
    try await fleet.ship(first)
    try await second.grow(by: 5)
    try await fleet.ship(second, options: ShipmentOptions(machine: "kiosk"))
    try await second.grow(by: 5)
    try await fleet.ship(second, options: ShipmentOptions(machine: "kiosk"))
    let verdict = try await fleet.verify()
    #expect(verdict.ok, "\(verdict)")
    #expect(verdict.histories.map(\.machine) == ["kiosk", "laptop"])
    for (history, book) in zip(verdict.histories, [second, first]) {
      let head = try book.reader().head()
      #expect(history.root == head.root)
      #expect(history.size == head.size)
      #expect(history.events == head.size)
      #expect(history.level == .signed)
      #expect(history.covered?.rawValue == head.size)
      #expect(history.unproven == 0)
      #expect(history.withheld == 0)
    }
  }

  @Test func `an empty fleet is whole`() async throws {
    let verdict = try await TestFleet().verify()
    #expect(verdict.ok)
    #expect(verdict.histories.isEmpty)
  }

  @Test func `a history without a signature says so`() async throws {
    let (fleet, _) = try await TestFleet.withBook(isSigned: false)
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    #expect(history.level == .unsigned)
    #expect(history.covered == nil)
  }

  @Test func `events without their encrypted facts are counted`() async throws {
    let (fleet, _) = try await TestFleet.withBook(options: ShipmentOptions(sendsPersonal: false))
    let sent = try fleet.value("SELECT count(*) FROM gatebook.event WHERE withheld")
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    #expect(history.withheld > 0)
    #expect("\(history.withheld)" == sent)
    #expect(history.level == .withheld)
    #expect(history.covered == Position(rawValue: 109))
  }

  @Test func `only the named book is verified`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    let other = try await TestBook.written(events: 10)
    try await fleet.ship(other, options: ShipmentOptions(machine: "kiosk"))
    try fleet.run(
      "UPDATE gatebook.event SET at = at + 1 WHERE position = 5 AND book <> '\(book.reader().id)'")
    #expect(try await fleet.verify(book: "laptop").ok)
    #expect(try await fleet.verify(book: String(book.reader().id.description.prefix(8))).ok)
    let verdict = try await fleet.verify(book: "kiosk", branch: 0)
    #expect(verdict.histories.map { $0.firstBad?.rawValue } == [5])
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await fleet.verify(book: "nobody")
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await fleet.verify(book: "kiosk", branch: 7)
    }
  }

  @Test func `a role that may not read is refused`() async throws {
    let fleet = try await TestFleet()
    let access = try fleet.access(.stranger)
    await expect(.fleetRefused) { () throws(GatebookError) in
      _ = try await FleetVerifier(access).verify()
    }
  }

  @Test func `a cancelled verification says so, and finds nothing`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    let access = try fleet.access(.auditor)
    let task = Task { () async -> FailureCode? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(GatebookError) {
        _ = try await FleetVerifier(access).verify()
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await task.value == .cancelled)
  }

  @Test func `two thousand small books are verified`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    // A leaf does not name its book: the copies are whole, but nothing signs them.
    try fleet.run(
      """
      CREATE TEMP TABLE copies AS SELECT gen_random_uuid() AS book FROM generate_series(1, 1999);
      INSERT INTO gatebook.branch (book, branch, base, first, lost, size, root, owner, withheld,
          first_at, last_at)
        SELECT c.book, branch, base, first, lost, size, root, owner, withheld, first_at, last_at
        FROM gatebook.branch b, copies c;
      INSERT INTO gatebook.program
        SELECT c.book, number, described, name, version, installation
        FROM gatebook.program p, copies c;
      INSERT INTO gatebook.event
        SELECT c.book, branch, version, position, revision, at, cause, process, program, withheld, id,
          account, session, kind, data, sealed, leaf
        FROM gatebook.event e, copies c;
      INSERT INTO gatebook.tally SELECT c.book, branch, day, kind, events
        FROM gatebook.tally t, copies c;
      INSERT INTO gatebook.total SELECT c.book, branch, kind, events
        FROM gatebook.total t, copies c;
      UPDATE gatebook.event SET leaf = sha256('a') WHERE position = 3
        AND book = (SELECT max(book::text)::uuid FROM copies);
      """)
    let verdict = try await fleet.verify()
    #expect(verdict.histories.count == 2000)
    #expect(verdict.unknownBooks.isEmpty)
    let bad = verdict.histories.filter { !$0.ok }
    #expect(bad.map { $0.firstBad?.rawValue } == [3], "\(bad.prefix(3))")
    #expect(verdict.histories.count { $0.level == .signed } == 1)
  }
}
