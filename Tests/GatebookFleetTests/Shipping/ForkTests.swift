import Gatebook
import Testing

@testable import GatebookFleet

struct ForkTests {
  private func branches(_ fleet: TestFleet) throws -> [String] {
    try fleet.rows("SELECT branch, parent, base, size FROM gatebook.branch ORDER BY branch")
  }

  @Test func `a copied book whose copies are both used has two histories`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    try await fleet.ship(book)
    let copy = try book.copied()
    try await book.grow(by: 10)
    try await copy.grow(by: 20)
    #expect(try await fleet.ship(book).forkedAfter == nil)
    let report = try await fleet.ship(copy)
    #expect(report.forkedAfter?.rawValue == 109)
    #expect(report.branch == 1)
    #expect(report.events == 20)
    #expect(report.size == 129)
    #expect(try branches(fleet) == ["(0,,0,119)", "(1,0,109,129)"])
    try fleet.expectHas(book)
    try fleet.expectHas(copy, branch: 1)
    #expect(
      try fleet.rows("SELECT branch, code, position, role FROM gatebook.notice") == [
        "(1,fleet.forked,109,lap1)"
      ])
    // Both continue.
    for _ in 0..<2 {
      try await book.grow(by: 7)
      try await copy.grow(by: 3)
      #expect(try await fleet.ship(copy).forkedAfter == nil)
      #expect(try await fleet.ship(book).forkedAfter == nil)
    }
    #expect(try branches(fleet) == ["(0,,0,133)", "(1,0,109,135)"])
    try fleet.expectHas(book)
    try fleet.expectHas(copy, branch: 1)
  }

  @Test func `a copy of a copy leaves the branch that it was copied from`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let second = try book.copied()
    try await book.grow(by: 10)
    try await second.grow(by: 20)
    try await fleet.ship(book)
    try await fleet.ship(second)
    let third = try second.copied()
    try await second.grow(by: 5)
    try await third.grow(by: 5)
    try await fleet.ship(second)
    #expect(try await fleet.ship(third).forkedAfter?.rawValue == 129)
    #expect(try branches(fleet) == ["(0,,0,119)", "(1,0,109,134)", "(2,1,129,134)"])
    // From an event that the second branch shares with the first one.
    let fourth = try book.copied()
    try await book.grow(by: 1)
    try await fourth.grow(by: 1)
    try await fleet.ship(book)
    #expect(try await fleet.ship(fourth).forkedAfter?.rawValue == 119)
    for (number, one) in [book, second, third, fourth].enumerated() {
      try fleet.expectHas(one, branch: number)
    }
  }

  @Test func `the command says that a book was forked, with exit 5`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let copy = try book.copied()
    try await book.grow(by: 1)
    try await copy.grow(by: 2)
    try await fleet.ship(book)
    let line = [
      "ship", "--book", copy.path, "--key", "file:\(copy.keyPath)", "--to", fleet.url(),
    ]
    let ending = try GatebookProcess.run(line)
    #expect(ending.exit == 5)
    #expect(ending.errors.contains("both are the same up to position 29"), "\(ending.errors)")
    #expect(ending.errors.contains("This one is branch 1."))
    #expect(ending.output.hasPrefix("2 events shipped"))
    // The command says it once. From then on both histories are shipped.
    #expect(try GatebookProcess.run(line).exit == 0)
    let third = try book.copied()
    try await book.grow(by: 1)
    try await third.grow(by: 1)
    try await fleet.ship(book)
    let json = try GatebookProcess.run(
      ["ship", "--book", third.path, "--to", fleet.url(), "--json"])
    #expect(json.exit == 5)
    #expect(json.output.contains("\"forkedAfter\":30"), "\(json.output)")
    #expect(json.errors.contains("\"fleet.forked\""), "\(json.errors)")
  }

  /// As many events as the fleet has, fewer, and more.
  @Test(arguments: [1, 10, 30])
  func `a restored backup is refused, and becomes a branch once it writes`(
    _ count: Int
  ) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let backup = try book.bytes()
    try await book.grow(by: 10)
    try await fleet.ship(book)
    let former = try book.copied()
    let known = try branches(fleet)
    try book.restore(backup)
    let error = await expect(.fleetAhead) { () throws(GatebookError) in
      try await fleet.ship(book)
    }
    #expect(
      error?.message == "The fleet has 119 events of this book, and the book has only 109.")
    let ending = try GatebookProcess.run(["ship", "--book", book.path, "--to", fleet.url()])
    #expect(ending.exit == 5)
    #expect(try branches(fleet) == known)
    try fleet.expectHas(former)
    try await book.grow(by: count)
    let report = try await fleet.ship(book)
    #expect(report.forkedAfter?.rawValue == 109)
    #expect(report.events == count)
    try fleet.expectHas(book, branch: 1)
    try fleet.expectHas(former)
  }
}
