internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

@MainActor struct OutputTests {
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
    output.report(ErrorReport.of(CancellationError()).report)
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
    let (report, exit) = ErrorReport.of(Leaky())
    #expect(exit == .failed)
    #expect(!report.text.contains("hunter2"))
  }
}
