import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct TwoShippersTests {
  @Test func `four tasks ship one book at once`() async throws {
    let fleet = try await TestFleet()
    // More than one batch, so that only one of them may prepare.
    let book = try await TestBook.written(events: 5000)
    try await withThrowingTaskGroup(of: ShipReport.self) { group in
      for _ in 0..<4 { group.addTask { try await fleet.ship(book) } }
      for try await report in group {
        #expect(report.size == 5009)
        #expect(report.forkedAfter == nil)
      }
    }
    try fleet.expectHas(book)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "1")
    #expect(try fleet.rows("SELECT code, detail FROM gatebook.notice").isEmpty)
  }

  @Test func `three processes ship one book at once, while it is written`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 4200)
    let line = [
      "ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url(),
    ]
    let processes = try (0..<3).map { _ in try GatebookProcess(line) }
    try await book.grow(by: 1500)
    for process in processes {
      let ending = process.end()
      #expect(ending.exit == 0, "\(ending.errors)")
    }
    try await fleet.ship(book)
    try fleet.expectHas(book)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "1")
    #expect(try fleet.rows("SELECT code, detail FROM gatebook.notice").isEmpty)
  }

  @Test func `two shippers that begin a book at once begin one history`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await shipBoth(book, fleet)
    #expect(try fleet.rows("SELECT branch, size FROM gatebook.branch") == ["(0,309)"])
    try fleet.expectHas(book)
  }

  @Test func `two shippers that find a fork at once begin one branch`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let copy = try book.copied()
    try await book.grow(by: 10)
    try await copy.grow(by: 20)
    try await fleet.ship(book)
    try await shipBoth(copy, fleet)
    #expect(
      try fleet.rows("SELECT branch, base, size FROM gatebook.branch ORDER BY branch")
        == ["(0,0,119)", "(1,109,129)"])
    try fleet.expectHas(copy, branch: 1)
  }

  /// Ships twice at once: the second one begins while the first one is in the middle of it.
  private func shipBoth(_ book: TestBook, _ fleet: TestFleet) async throws {
    let halt = try Halt(fleet, when: "INSERT", into: "branch")
    async let first = fleet.ship(book)
    async let second = fleet.ship(book)
    try await halt.wait(for: 2)
    try await halt.end()
    #expect(try await first.size == second.size)
  }
}
