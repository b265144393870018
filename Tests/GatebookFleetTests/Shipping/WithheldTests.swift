import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct WithheldTests {
  private static let atHome = ShipmentOptions(machine: "laptop", sendsPersonal: false)

  /// The positions of the events that have encrypted facts.
  private func sealedPositions(_ book: TestBook) throws -> [Int64] {
    var positions: [Int64] = []
    try book.reader().scanForShipping(after: 0, upTo: .max, ShippedNames()) { event in
      if event.sealed != nil { positions.append(event.position) }
      return true
    }
    return positions
  }

  @Test func `without personal facts exactly those are withheld, and the root is the book's`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book, options: Self.atHome)
    try fleet.expectHas(book)
    let sealed = try sealedPositions(book)
    #expect(sealed.count > 50)
    let withheld = try fleet.rows(
      "SELECT position FROM gatebook.event WHERE withheld ORDER BY position")
    #expect(withheld == sealed.map { "(\($0))" })
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.event WHERE sealed IS NOT NULL") == "0")
    #expect(
      try fleet.rows("SELECT machine, withheld FROM gatebook.branch") == ["(,\(sealed.count))"])
    try await book.grow(by: 8)
    try await fleet.ship(book, options: Self.atHome)
    try fleet.expectHas(book)
    #expect(
      try fleet.value("SELECT withheld FROM gatebook.branch")
        == "\(try sealedPositions(book).count)")
  }

  @Test func `all leaves are the book's, also of withheld facts`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 40)
    try await fleet.ship(book, options: Self.atHome)
    let reader = try book.reader()
    let leaves = try fleet.connect().run("SELECT leaf FROM gatebook.event ORDER BY position")
      .map { $0.bytes(0) }
    #expect(leaves.count == 49)
    for (index, leaf) in leaves.enumerated() {
      #expect(try reader.leaf(at: Int64(index + 1)) == leaf)
    }
  }

  @Test func `nobody reads a personal fact in the fleet`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 40)
    try await fleet.ship(book)
    let found = try fleet.value(
      """
      SELECT count(*) FROM gatebook.event
      WHERE data LIKE '%personal%' OR position(convert_to('personal', 'UTF8') IN sealed) > 0
      """)
    #expect(found == "0")
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.event WHERE sealed IS NOT NULL")
        == "\(try sealedPositions(book).count)")
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.state WHERE state LIKE '%personal%'") == "0")
  }

  @Test func `a machine's name is not sent with the option of the command`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 10)
    let line = ["ship", "--book", book.path, "--to", fleet.url(), "--without-personal"]
    #expect(try GatebookProcess.run(line).exit == 0)
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == nil)
    let ending = try GatebookProcess.run(line + ["--name", "laptop"])
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("`--name` and `--without-personal` contradict each other."))
  }
}
