internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

@MainActor struct OutputTests {
  @Test(arguments: [
    ("one two three", 20, "one two three"),
    ("one two three four five six", 20, "one two three four\nfive six"),
    ("  one two three four five six", 20, "  one two three four\n  five six"),
    ("see `gatebook login --account ada` now", 20, "see\n`gatebook login --account ada`\nnow"),
    ("one two three four five six", 10, "one two three four five six"),
    ("a\n\nb", 20, "a\n\nb"),
  ])
  func `a message is broken at blanks, and never inside of a command`(
    _ text: String, _ columns: Int, _ shown: String
  ) {
    #expect(WrappedText.message(text, width: columns) == shown)
    #expect(WrappedText.message(text, width: nil) == text)
  }

  @Test func `results are written together, messages at once and in order`() throws {
    let both = MemorySink()
    let output = Output(results: both, messages: both, isJSON: false)
    output.line("one")
    output.line("two")
    #expect(both.text.isEmpty)
    output.message("note")
    output.line("three")
    try output.finish()
    #expect(both.text == "one\ntwo\nnote\nthree\n")
  }

  @Test func `quiet leaves errors`() {
    let messages = MemorySink()
    let output = Output(results: MemorySink(), messages: messages, isJSON: false, isQuiet: true)
    output.message("note")
    output.report(ErrorReport.of(CancellationError()))
    #expect(messages.text.hasPrefix("gatebook: Cancelled."))
  }

  @Test func `a reader that went away is no failure`() throws {
    let output = Output(
      results: MemorySink(readerLeavesAfter: 0), messages: MemorySink(), isJSON: false)
    output.line("one")
    try output.finish()
    #expect(!output.hasReader)
    output.line("two")
    try output.finish()
  }

  @Test func `output that cannot be written is a failure`() throws {
    let full = GatebookError(.storageFull, "Full.", remedy: "Free space.")
    let output = Output(
      results: MemorySink(failure: full), messages: MemorySink(), isJSON: false)
    output.line("one")
    #expect(throws: full) { try output.finish() }
  }

  @Test func `an error of unknown text does not print it`() {
    struct Leaky: Error { let secret = "hunter2" }
    let report = ErrorReport.of(Leaky())
    #expect(report.exit == .failed)
    #expect(!report.text.contains("hunter2"))
  }
}
