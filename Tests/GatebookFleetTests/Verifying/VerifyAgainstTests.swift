import Gatebook
import GatebookEvents
import Testing

@testable import GatebookCrypto
@testable import GatebookFleet
@testable import GatebookStore

/// Fleets that agree with themselves, and not with heads that were kept elsewhere.
@Suite struct VerifyAgainstTests {
  /// A fleet with two books, and its heads.
  private static func kept() async throws -> (fleet: TestFleet, book: TestBook, kept: FleetHeads) {
    let (fleet, book) = try await TestFleet.withBook()
    let verdict = try await fleet.verify()
    #expect(verdict.ok, "\(verdict)")
    return (fleet, book, verdict.heads())
  }

  @Test func `histories that only grew agree`() async throws {
    let (fleet, book, kept) = try await Self.kept()
    #expect(kept.heads.map(\.size) == [109])
    #expect(try kept.heads.map(\.root) == [book.reader().head().root])
    #expect(kept.heads.allSatisfy { $0.key?.utf8.count == 64 })
    #expect(try await fleet.verify(against: kept).ok)
    try await book.grow(by: 30)
    try await fleet.ship(book)
    let copy = try book.copied()
    try await book.grow(by: 3)
    try await copy.grow(by: 4)
    try await fleet.ship(book)
    try await fleet.ship(copy)
    let verdict = try await fleet.verify(against: kept)
    #expect(verdict.ok, "\(verdict)")
    #expect(verdict.histories.map(\.known) == [109, nil])
    #expect(verdict.histories.map(\.isNew) == [false, true])
    let heads = verdict.heads(keeping: kept)
    #expect(heads.heads.map(\.size) == [142, 143])
    #expect(try await fleet.verify(branch: 1, against: heads).histories.map(\.known) == [143])
  }

  @Test func `a history that was signed again with another key does not agree`() async throws {
    let (fleet, book, kept) = try await Self.kept()
    let id = try book.reader().id
    let key = try #require(SigningKey(seed: Array(repeating: 7, count: 32)))
    let former = try #require(kept.heads.first?.key)
    try fleet.run(
      """
      UPDATE gatebook.event SET data = replace(data, '\(former)', '\(Hex.encode(key.publicKey))')
      WHERE position = 1
      """)
    try fleet.rewrite(1)
    try fleet.recount()
    var tree = ShippedTree()
    for row in try fleet.connect().run("SELECT leaf FROM gatebook.event ORDER BY position").map({
      $0.bytes(0)
    }) {
      tree.append(try #require(Digest(bytes: row)))
    }
    let note = Checkpoint.note(size: tree.size, root: tree.rootDigest, of: id, key)
    for table in ["branch", "checkpoint"] {
      try fleet.run(
        """
        UPDATE gatebook.\(table) SET checkpoint = '\(note)', root = '\\x\(Hex.encode(tree.root))'
        """)
    }
    let alone = try await fleet.verifiedHistory()
    #expect(alone.ok, "\(alone.problems)")
    #expect(alone.level == .signed)
    let history = try await fleet.verifiedHistory(against: kept)
    #expect(
      history.problems == [
        "The history names another checkpoint key than the kept head has: somebody replaced it and signed "
          + "it again.",
        "The first 109 events are not those of the kept head: their root differs.",
      ])
    // What does not agree is never kept.
    #expect(try await fleet.verify(against: kept).heads(keeping: kept) == kept)
  }

  @Test func `a history that was cut at an earlier checkpoint does not agree`() async throws {
    let (fleet, book, older) = try await Self.kept()
    try await book.grow(by: 10)
    try await fleet.ship(book)
    let kept = try await fleet.verify().heads()
    #expect(kept.heads.map(\.size) == [119])
    try fleet.run(
      """
      DELETE FROM gatebook.event WHERE position > 109;
      DELETE FROM gatebook.checkpoint WHERE size > 109;
      UPDATE gatebook.branch b SET folded = 109, (size, root, checkpoint) = (
        SELECT size, root, checkpoint FROM gatebook.checkpoint c WHERE c.size = 109);
      """)
    try fleet.recount()
    let alone = try await fleet.verifiedHistory(against: older)
    #expect(alone.ok, "\(alone.problems)")
    #expect(alone.level == .signed)
    let history = try await fleet.verifiedHistory(against: kept)
    #expect(
      history.problems == [
        "The history ends at position 109, but the kept head has 119 events: the last ones were removed."
      ])
    #expect(history.firstBad == Position(rawValue: 110))
  }

  @Test func `a book that was removed does not agree`() async throws {
    let (fleet, book, _) = try await Self.kept()
    let other = try await TestBook.written(events: 10)
    try await fleet.ship(other, options: ShipmentOptions(machine: "kiosk"))
    let kept = try await fleet.verify().heads()
    let id = try book.reader().id
    for table in [
      "event", "checkpoint", "past", "state", "tally", "total", "pseudonym", "erased", "program",
      "notice", "branch",
    ] {
      try fleet.run("DELETE FROM gatebook.\(table) WHERE book = '\(id)'")
    }
    #expect(try await fleet.verify().ok)
    for name in [nil, "laptop", id.description, String(id.description.prefix(6))] {
      let verdict = try await fleet.verify(book: name, against: kept)
      let gone = try #require(verdict.histories.last)
      #expect(!verdict.ok)
      #expect(gone.book == id && gone.machine == "laptop")
      #expect(
        gone.problems == [
          "The kept head has 109 events of this history, but the fleet has no such history: somebody removed "
            + "it, or the role may not read it."
        ])
    }
    #expect(try await fleet.verify(book: "kiosk", against: kept).ok)
    // A book with another machine's name is no removed one.
    try fleet.run("UPDATE gatebook.branch SET machine = 'desk'")
    #expect(try await fleet.verify(book: "kiosk", against: kept).histories.isEmpty)
    #expect(try await fleet.verify(against: kept).heads(keeping: kept).heads.count == 2)
  }

  @Test func `a history that forgot the events of its kept head says so`() async throws {
    let (fleet, book, kept) = try await Self.kept()
    try await book.grow(by: 200)
    try await fleet.ship(book)
    let later = try await fleet.verify().heads()
    let end = try await fleet.forget(book, before: 280)
    #expect(end > 109)
    var history = try await fleet.verifiedHistory(against: kept)
    #expect(history.ok, "\(history.problems)")
    #expect(history.isKnownForgotten)
    history = try await fleet.verifiedHistory(against: later)
    #expect(history.ok, "\(history.problems)")
    #expect(!history.isKnownForgotten)
    // The head of the first shipment is still there, unsigned or not.
    try fleet.run(
      "UPDATE gatebook.checkpoint SET root = sha256('x'), checkpoint = NULL WHERE size = 109")
    history = try await fleet.verifiedHistory(against: kept)
    #expect(
      history.problems == [
        "The first 109 events are not those of the kept head: their root differs."
      ])
  }

  @Test func `heads of a server that does not answer are kept`() async throws {
    let fleet = try await ShardedFleet()
    try fleet.makeRole(.auditor, on: fleet.coordinator)
    var books: [Int: TestBook] = [:]
    while books.count < 2 {
      let book = try await TestBook.written(events: 10)
      // The parts of the first server have even numbers.
      books[try fleet.part(of: book) % 2] = book
    }
    for (number, book) in books { try await fleet.ship(book, machine: "machine\(number)") }
    let verifier = FleetVerifier(try fleet.access(fleet.coordinator, .auditor))
    let kept = try await verifier.verify().heads()
    #expect(kept.heads.count == 2)
    try fleet.servers[0].stop()
    var verdict = try await verifier.verify(against: kept)
    #expect(verdict.ok, "\(verdict)")
    #expect(verdict.histories.map(\.machine) == ["machine1"])
    #expect(verdict.missing.count == 1)
    #expect(verdict.heads(keeping: kept) == kept)
    // One on a server that answers is missed.
    let id = try #require(books[1]).reader().id
    let part = try fleet.part(of: #require(books[1]))
    try fleet.run("DELETE FROM gatebook_part.branch_\(part)", on: fleet.servers[1])
    verdict = try await verifier.verify(against: kept)
    #expect(verdict.histories.contains { $0.book == id && !$0.ok && $0.known == 19 })
  }
}
