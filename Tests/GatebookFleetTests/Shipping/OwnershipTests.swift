import Gatebook
import Testing

@testable import GatebookFleet

struct OwnershipTests {
  @Test func `a book of another role is refused until it is handed over`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 30)
    try await fleet.ship(book)
    try await book.grow(by: 3)
    await expect(.fleetRefused) { () throws(GatebookError) in
      try await fleet.ship(book, as: .secondShipper)
    }
    let change = try await FleetOwnership.grant("laptop", to: "lap2", at: fleet.access(.admin))
    #expect(change.former == "lap1")
    try await fleet.ship(book, as: .secondShipper)
    try fleet.expectHas(book)
    await expect(.fleetRefused) { () throws(GatebookError) in try await fleet.ship(book) }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetOwnership.grant("laptop", to: "stranger1", at: try fleet.access(.admin))
    }
  }

  @Test func `of another role's book a shipper learns only that it is there`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 30)
    try await fleet.ship(book)
    let question = "SELECT row::text FROM gatebook.standing('\(try book.reader().id)') row"
    let own = try #require(try fleet.connect(.shipper).run(question).first?.text(0))
    #expect(own.hasPrefix("(t,0,,0,1,0,39,"))
    #expect(
      try fleet.connect(.secondShipper).run(question).first?.text(0) == "(f,0,,0,0,0,0,,0,0,)")
  }

  @Test func `no role uses up the room for notices of another one`() async throws {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    let stranger = try fleet.connect(.secondShipper)
    for branch in 0..<5 {
      try stranger.run(
        """
        SELECT gatebook.accept('\(StagedEvent.book)', \(branch), 1, '', NULL, false, '{}',
          \(StagedEvent.programs))
        """)
      // A book that the fleet does not know.
      try stranger.run(
        """
        SELECT gatebook.accept(gen_random_uuid(), \(branch), 1, '', NULL, false, '{}',
          \(StagedEvent.programs))
        """)
    }
    #expect(
      try fleet.rows("SELECT branch, code, role FROM gatebook.notice") == ["(,fleet.owner,lap2)"])
    try fleet.run(
      """
      INSERT INTO gatebook.notice (book, branch, code, position, detail, role)
      SELECT '\(StagedEvent.book)', 0, 'fleet.owner', n, '', 'lap2' FROM generate_series(1, 1000) n
      """)
    let owner = try fleet.connect(.shipper)
    var wrong = StagedEvent(1)
    wrong.leaf = "sha256('')"
    try fleet.stage([wrong], owner)
    #expect(try fleet.accept(upTo: 1, owner) == "(leaf,1)")
    try owner.run("COMMIT")
    #expect(
      try fleet.rows("SELECT code FROM gatebook.notice WHERE role = 'lap1'") == ["(fleet.leaf)"])
  }
}
