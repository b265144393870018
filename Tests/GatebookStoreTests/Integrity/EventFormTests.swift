import GatebookEvents
import Testing

@testable import GatebookStore

/// Changes that an attacker who recomputes hashes could make, and that no leaf shows.
@Suite struct EventFormTests {
  @Test(arguments: ["position", "position + 1", "0", "-1"])
  func `a cause comes before its event`(_ cause: String) async throws {
    let book = try await TestBook.written()
    try book.tamper("UPDATE event SET cause = \(cause) WHERE position = 9")
    let verdict = try await book.verify()
    #expect(
      verdict.problems.contains("The event at position 9 names a cause that is not before it."),
      "\(verdict.problems)")
  }

  @Test func `facts are written in one way alone`() async throws {
    let book = try await TestBook.written()
    try book.tamper(#"UPDATE event SET data = '{"b":1,"a":2}' WHERE position = 9"#)
    let verdict = try await book.verify()
    #expect(
      verdict.problems.contains {
        $0.contains("facts of the event at position 9 are not in the form that Gatebook writes")
      }, "\(verdict.problems)")
  }

  @Test func `the first event names the key that signs checkpoints`() async throws {
    let book = try await TestBook.written()
    try book.tamper("UPDATE book SET checkpoint_key = zeroblob(32)")
    let verdict = try await book.verify()
    #expect(verdict.problems == ["The first event does not name the book's checkpoint key."])
    #expect(verdict.firstBad == nil)
    #expect(verdict.agreesWithRoot)
  }
}
