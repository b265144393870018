import Gatebook
import GatebookTestSupport
import Testing

@Suite struct MemoryKeySourceTests {
  private let source = MemoryKeySource()
  private let random = SeededRandom()
  private let one = BookID(high: 1, low: 1)
  private let other = BookID(high: 2, low: 2)

  @Test func `a book gets its own key again and another book another one`() throws {
    let made = try source.make(for: one, random: random)
    #expect(made.key.count == 32)
    #expect(try source.make(for: one, random: random).key == made.key)
    #expect(try source.make(for: other, random: random).key != made.key)
    #expect(try source.open(made.description, of: one) == made.key)
  }

  @Test func `a key that is unknown, forgotten or replaced is not the book's`() throws {
    let made = try source.make(for: one, random: random)
    #expect(throws: GatebookError(.keyMissing, "", remedy: "")) {
      try source.open(made.description, of: other)
    }
    let wrong = Secret(random.bytes(32))
    source.replaceKey(of: one, with: wrong)
    #expect(try source.open(made.description, of: one) == wrong)
    source.forget()
    #expect(throws: GatebookError(.keyMissing, "", remedy: "")) {
      try source.open(made.description, of: one)
    }
  }
}
