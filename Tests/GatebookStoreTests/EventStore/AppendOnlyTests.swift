import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct AppendOnlyTests {
  @Test(
    arguments: [
      "UPDATE event SET at = at + 1", "UPDATE event SET leaf = leaf WHERE position = 2",
      "DELETE FROM event WHERE position = 3", "DELETE FROM event",
      "UPDATE OR REPLACE event SET position = 9 WHERE position = 1",
    ])
  func `events are neither updated nor deleted`(statement: String) async throws {
    let book = try await TestBook.written(events: 3)
    let before = try book.reader().events(EventFilter())
    #expect(throws: GatebookError.self) { try book.tamper(statement, keepingTriggers: true) }
    #expect(try book.reader().events(EventFilter()) == before)
  }
}
