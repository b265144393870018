import Gatebook
import Testing

@testable import GatebookFleet

/// The accepting function, called by hand as somebody with a shipper's password can.
struct AcceptTests {
  private func begun() async throws -> TestFleet {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    #expect(
      try fleet.accept([StagedEvent(1), StagedEvent(2)], upTo: 2, root: "sha256('2')")
        == "(taken,0)")
    return fleet
  }

  /// All that a refusal must not change.
  private func content(_ fleet: TestFleet) throws -> [String] {
    try [
      "SELECT branch, size, root, checkpoint, lost FROM gatebook.branch",
      "SELECT * FROM gatebook.event ORDER BY position", "SELECT * FROM gatebook.tally",
      "SELECT * FROM gatebook.checkpoint ORDER BY size", "SELECT * FROM gatebook.program",
      "SELECT * FROM gatebook.staging",
    ].flatMap { try fleet.rows($0) }
  }

  private func expectRefused(
    _ verdict: String, role: FleetRole = .shipper,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ send: (TestFleet) throws -> String?
  ) async throws {
    let fleet = try await begun()
    let before = try content(fleet)
    #expect(try send(fleet) == verdict, sourceLocation: sourceLocation)
    #expect(try content(fleet) == before, sourceLocation: sourceLocation)
    let code = verdict.dropFirst().prefix { $0 != "," }
    #expect(
      try fleet.rows("SELECT book, code, role FROM gatebook.notice") == [
        "(\(StagedEvent.book),fleet.\(code),\(role.rawValue))"
      ], sourceLocation: sourceLocation)
    // And what is right is still taken.
    #expect(
      try fleet.accept([StagedEvent(3)], upTo: 3) == "(taken,2)", sourceLocation: sourceLocation)
  }

  @Test func `a gap is refused`() async throws {
    try await expectRefused("(gap,3)") { try $0.accept([StagedEvent(4)], upTo: 4) }
    try await expectRefused("(gap,3)") { try $0.accept([StagedEvent(3), StagedEvent(5)], upTo: 5) }
    try await expectRefused("(gap,3)") { try $0.accept([StagedEvent(3)], upTo: 4) }
    try await expectRefused("(gap,3)") { try $0.accept([], upTo: 3) }
  }

  @Test func `a lost position that is sent all the same is refused`() async throws {
    try await expectRefused("(gap,3)") { try $0.accept([StagedEvent(3)], upTo: 3, lost: "{[3,3]}") }
  }

  @Test func `a wrong leaf is refused`() async throws {
    var wrong = StagedEvent(3)
    wrong.leaf = "sha256('wrong')"
    try await expectRefused("(leaf,3)") { try $0.accept([wrong], upTo: 3) }
    var short = StagedEvent(3)
    short.leaf = "'\\x00'"
    short.isWithheld = true
    try await expectRefused("(leaf,3)") { try $0.accept([short], upTo: 3) }
    // A withheld event has no facts: else any leaf would do for them.
    var both = StagedEvent(3)
    both.isWithheld = true
    both.sealed = "'\\x0102'::bytea"
    try await expectRefused("(leaf,3)") { try $0.accept([both], upTo: 3) }
  }

  @Test func `a program that the batch does not name is refused`() async throws {
    var other = StagedEvent(3)
    other.program = 2
    try await expectRefused("(leaf,3)") { try $0.accept([other], upTo: 3) }
    try await expectRefused("(leaf,3)") {
      try $0.accept(
        [StagedEvent(3)], upTo: 3,
        programs: "ARRAY['mail'::bytea], ARRAY[NULL::bytea], ARRAY[NULL]::uuid[]")
    }
  }

  @Test func `a position that is there twice, or does not belong there, is refused`() async throws {
    try await expectRefused("(form,3)") {
      try $0.accept([StagedEvent(3), StagedEvent(3, data: "{\"a\":1}")], upTo: 4)
    }
    try await expectRefused("(form,3)") {
      try $0.accept([StagedEvent(3), StagedEvent(4)], upTo: 3)
    }
    try await expectRefused("(form,0)") { try $0.accept([StagedEvent(0)], upTo: 2) }
  }

  @Test func `other content for a known position is refused`() async throws {
    try await expectRefused("(differs,2)") {
      try $0.accept([StagedEvent(2, data: "{\"a\":1}"), StagedEvent(3)], upTo: 3)
    }
    try await expectRefused("(differs,1)") {
      try $0.accept([StagedEvent(1, data: "{\"a\":1}")], upTo: 1)
    }
  }

  @Test func `another root over the same events is refused`() async throws {
    try await expectRefused("(root,2)") { try $0.accept([], upTo: 2, root: "sha256('3')") }
  }

  @Test func `another role's book is refused`() async throws {
    try await expectRefused("(owner,)", role: .secondShipper) {
      try $0.accept([StagedEvent(3)], upTo: 3, as: .secondShipper)
    }
  }

  @Test func `a branch that does not exist is refused`() async throws {
    let fleet = try await begun()
    #expect(try fleet.accept([StagedEvent(3)], upTo: 3, branch: 1) == "(unknown,)")
    // Otherwise any role could fill the table with made-up branches.
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `the same events again are taken, and change nothing`() async throws {
    let fleet = try await begun()
    let before = try content(fleet)
    #expect(try fleet.accept([StagedEvent(1), StagedEvent(2)], upTo: 2) == "(taken,2)")
    #expect(try content(fleet) == before)
    // From a shipper that another one has overtaken.
    #expect(try fleet.accept([StagedEvent(2), StagedEvent(3)], upTo: 3) == "(taken,2)")
    #expect(try fleet.accept([StagedEvent(1)], upTo: 1) == "(taken,3)")
    #expect(try fleet.rows("SELECT position FROM gatebook.event ORDER BY 1").count == 3)
    #expect(try fleet.value("SELECT sum(events) FROM gatebook.tally") == "3")
  }

  @Test func `a role that does not own a book begins no history of it, and reads no leaf`()
    async throws
  {
    let fleet = try await begun()
    let book = StagedEvent.book
    let other = try fleet.connect(.secondShipper)
    for known in 0...1 {
      let begun = try other.run(
        "SELECT gatebook.begin_branch('\(book)', 0, 1, 2, NULL, NULL, \(known))")
      #expect(begun.first?.optionalInteger(0) == nil)
    }
    let leaf = try other.run("SELECT gatebook.leaf('\(book)', 0, 1)")
    #expect(leaf.first?.optionalBytes(0) == nil)
    let past = try other.run("SELECT gatebook.put_past('\(book)', 0, 9, '{}', '{}', '{}')")
    #expect(past.first?.bool(0) == false)
    let state = try other.run(
      "SELECT gatebook.put_state('\(book)', 0, 2, 1, 'x', '{}', '{}', '{}')")
    #expect(state.first?.bool(0) == false)
    #expect(try fleet.rows("SELECT branch, floor, machine FROM gatebook.branch") == ["(0,0,)"])
    #expect(
      try fleet.rows("SELECT code, role FROM gatebook.notice") == ["(fleet.refused,lap2)"])
  }

  @Test func `a thousand refusals of one book are recorded, and no more`() async throws {
    let fleet = try await begun()
    let connection = try fleet.connect(.shipper)
    try fleet.run(
      """
      INSERT INTO gatebook.notice (book, branch, code, position, detail, role)
      SELECT '\(StagedEvent.book)', 0, 'fleet.leaf', n, '', 'lap1' FROM generate_series(1001, 1998) n
      """)
    let notices = "SELECT count(*) FROM gatebook.notice"
    for (position, count) in [(11, 999), (12, 1000), (13, 1000)] {
      var wrong = StagedEvent(Int64(position))
      wrong.leaf = "sha256('')"
      try fleet.stage([wrong], connection)
      #expect(
        try fleet.accept(upTo: Int64(position), connection) == "(leaf,\(position))")
      try connection.run("COMMIT")
      #expect(try fleet.value(notices) == "\(count)")
    }
  }
}
