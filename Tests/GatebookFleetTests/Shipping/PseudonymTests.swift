import Gatebook
import GatebookEvents
import GatebookStore
import Testing

@testable import GatebookFleet

struct PseudonymTests {
  private static func key(_ digit: String = "a") throws -> PseudonymKey {
    try PseudonymKey(Secret(String(repeating: digit, count: 64)))
  }

  @Test func `a key is 64 hexadecimal digits`() {
    for text in ["", "a", String(repeating: "g", count: 64), String(repeating: "a", count: 63)] {
      #expect(throws: GatebookError.self) { try PseudonymKey(Secret(text)) }
    }
  }

  @Test func `names have pseudonyms by key and purpose`() throws {
    let key = try Self.key()
    let one = key.pseudonym(of: "ada", as: .user)
    #expect(one.count == 32)
    #expect(one == (try Self.key()).pseudonym(of: "ada", as: .user))
    #expect(one != key.pseudonym(of: "ada", as: .typed))
    #expect(one != (try Self.key("b")).pseudonym(of: "ada", as: .user))
  }

  @Test func `a key given later fills in, and an erase takes away for good`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.pseudonym") == "0")
    let before = try book.copied()
    let options = ShipmentOptions(machine: "laptop", pseudonymKey: try Self.key())
    try await fleet.ship(book, options: options)
    let count = try #require(
      Int(try fleet.value("SELECT count(*) FROM gatebook.pseudonym") ?? ""))
    #expect(count > 0)
    #expect(try fleet.value("SELECT named = size FROM gatebook.branch") == "true")
    let account = try #require(try book.reader().accounts().first?.account)
    try await book.append(.erasing(account))
    try await fleet.ship(book, options: options)
    let left = "SELECT count(*) FROM gatebook.pseudonym WHERE account = '\(account)'"
    #expect(try fleet.value(left) == "0")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.erased") == "1")
    // A copy from before the erase still has the key, and brings nothing back.
    try await before.grow(by: 3)
    try await fleet.ship(before, options: options)
    #expect(try fleet.value(left) == "0")
  }

  @Test func `a fleet has pseudonyms under one key`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 30)
    try await fleet.ship(
      book, options: ShipmentOptions(machine: "laptop", pseudonymKey: try Self.key()))
    try await book.grow(by: 3)
    await expect(.fleetPseudonyms) { () throws(GatebookError) in
      let options = ShipmentOptions(
        machine: "laptop", pseudonymKey: try PseudonymKey(Secret(String(repeating: "b", count: 64)))
      )
      try await fleet.ship(book, options: options)
    }
    try fleet.expectHas(book)
  }

  @Test func `only who ships a book says which key the fleet has, and its owner drops a wrong one`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 30)
    try await fleet.ship(book)
    for id in ["\(try book.reader().id)", "6b8b4567-327b-73c6-a432-19d8f4a1c001"] {
      let answer = try fleet.connect(.secondShipper).run(
        "SELECT gatebook.put_pseudonyms('\(id)', 0, '\\x00', 0, '{}', '{}')")
      #expect(answer.first?.text(0) == "owner")
    }
    #expect(try fleet.value("SELECT pseudonym_key FROM gatebook.fleet") == nil)
    let wrong = ShipmentOptions(machine: "laptop", pseudonymKey: try Self.key("b"))
    try await fleet.ship(book, options: wrong)
    let before = try fleet.value("SELECT count(*) FROM gatebook.pseudonym")
    try fleet.run("SELECT gatebook.drop_pseudonyms()", as: .admin)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.pseudonym") == "0")
    let right = ShipmentOptions(machine: "laptop", pseudonymKey: try Self.key())
    try await fleet.ship(book, options: right)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.pseudonym") == before)
  }
}
