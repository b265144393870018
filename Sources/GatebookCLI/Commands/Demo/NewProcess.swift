internal import GatebookSystem

/// A program in a new process that shares nothing with this one but files.
enum NewProcess {
  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - words: The words that it gets, its own name first.
  ///   - environment: Its variables as `NAME=value`.
  ///   - columns: How wide the terminal is that it writes to.
  /// - Returns: How it ended and what it printed, errors included; `nil` when it did not start.
  static func run(
    _ program: String, _ words: [String], environment: [String], columns: Int
  ) -> (exit: Int32, output: String)? {
    guard let terminal = PseudoTerminal(columns: columns) else { return nil }
    let process = ChildProcess(
      program, words, environment: environment,
      streams: [.nothing, .descriptor(terminal.program), .descriptor(terminal.program)])
    terminal.handOver()
    guard let process else { return nil }
    var output = shown(terminal.text())
    while output.hasSuffix("\n") { output.removeLast() }
    guard let end = process.wait() else { return nil }
    return (end.code, output)
  }

  /// What the terminal shows at the end: a line of progress that was erased is not there.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { (line) -> Substring in
      var shown = line
      while let erased = shown.firstRange(of: "\r\u{1B}[K") { shown = shown[erased.upperBound...] }
      return shown
    }.joined(separator: "\n")
  }
}
