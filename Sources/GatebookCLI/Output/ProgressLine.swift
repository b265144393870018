/// One line on a terminal's standard error that says how far long work has come, and goes away.
@MainActor final class ProgressLine {
  private let sink: (any ByteSink)?
  private var isShown = false
  private var isOver = false

  /// Makes a line; without a terminal it is never shown.
  init(_ sink: any ByteSink, isTerminal: Bool) {
    self.sink = isTerminal ? sink : nil
  }

  /// Shows or changes the line.
  func show(_ text: String) {
    guard !isOver else { return }
    isShown = true
    emit("\r\u{1B}[K\(Printable.text(text))")
  }

  /// Takes the line away for good: news that comes late is not shown.
  func finish() {
    isOver = true
    guard isShown else { return }
    isShown = false
    emit("\r\u{1B}[K")
  }

  private func emit(_ text: String) {
    // Progress that cannot be shown is not missed.
    _ = try? sink?.write(Array(text.utf8))
  }
}
