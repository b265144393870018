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

  /// Says what is being read where that takes long enough to wonder, and how far it has come cannot
  /// be told.
  ///
  /// - Parameters:
  ///   - what: Begins the line, such as `reading`.
  ///   - events: How many there are to read.
  func show(_ what: String, events: Int64) {
    guard events >= Self.manyEvents else { return }
    show("\(what): \(events) events")
  }

  /// So many are read in some tenths of a second.
  private static let manyEvents: Int64 = 100_000

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
