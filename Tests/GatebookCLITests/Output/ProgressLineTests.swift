internal import Testing

@testable internal import GatebookCLI

@MainActor struct ProgressLineTests {
  @Test func `what is read at once is not told, what takes long is, and goes away`() {
    let sink = MemorySink()
    let line = ProgressLine(sink, isTerminal: true)
    line.show("reading", events: 99_999)
    #expect(sink.text.isEmpty)
    line.show("reading", events: 100_000)
    #expect(sink.text == "\r\u{1B}[Kreading: 100000 events")
    line.finish()
    #expect(sink.text.hasSuffix("events\r\u{1B}[K"))
    let shown = sink.text
    line.show("late")
    line.finish()
    #expect(sink.text == shown)
  }

  @Test func `nothing is shown without a terminal`() {
    let sink = MemorySink()
    ProgressLine(sink, isTerminal: false).show("reading", events: 1_000_000)
    #expect(sink.text.isEmpty)
  }
}
