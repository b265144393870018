internal import Gatebook
internal import GatebookSystem

/// Shows results page by page, once they are longer than the terminal.
///
/// Until then they wait. What fits is written to the terminal as it is, and no other program
/// starts. Messages keep their place among the results.
final class Pager: Sendable {
  private struct State: Sendable {
    /// What waits, and whether it is a message.
    var waiting: [(bytes: [UInt8], isMessage: Bool)] = []
    var lines = 0
    var program: (process: ChildProcess, input: Int32)?
    /// Whether everything goes straight to the terminal.
    var isOver = false
  }

  private let command: String
  private let rows: Int
  private let results: any ByteSink
  private let messages: any ByteSink
  private let state = Locked(State())

  /// Whether a pager has the terminal now: then Ctrl-C is for it.
  static var isShown: Bool { shown.withLock { $0 } }
  private static let shown = Locked(false)

  /// Makes a pager that waits for results.
  ///
  /// - Parameters:
  ///   - command: A line for the shell, such as `less`.
  ///   - rows: How many lines the terminal has.
  ///   - results: Standard output.
  ///   - messages: Standard error.
  init(_ command: String, rows: Int, results: any ByteSink, messages: any ByteSink) {
    self.command = command
    self.rows = rows
    self.results = results
    self.messages = messages
  }

  /// Where results go.
  var resultSink: any ByteSink { Sink(pager: self, isMessage: false) }

  /// Where messages go, if they are for the same terminal.
  var messageSink: any ByteSink { Sink(pager: self, isMessage: true) }

  private struct Sink: ByteSink {
    let pager: Pager
    let isMessage: Bool

    func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
      try pager.write(bytes, isMessage: isMessage)
    }
  }

  private func write(_ bytes: [UInt8], isMessage: Bool) throws(GatebookError) -> Bool {
    try state.withLock { (state) throws(GatebookError) in
      if let program = state.program { return try Descriptor(program.input).write(bytes) }
      guard !state.isOver else { return try (isMessage ? messages : results).write(bytes) }
      state.waiting.append((bytes, isMessage))
      state.lines += bytes.count { $0 == UInt8(ascii: "\n") }
      guard state.lines >= rows else { return true }
      guard let program = start() else {
        state.isOver = true
        return try release(&state)
      }
      state.program = program
      let text = state.waiting.flatMap(\.bytes)
      state.waiting = []
      return try Descriptor(program.input).write(text)
    }
  }

  /// Writes what waits to the terminal.
  private func release(_ state: inout State) throws(GatebookError) -> Bool {
    defer { state.waiting = [] }
    for (bytes, isMessage) in state.waiting {
      guard try (isMessage ? messages : results).write(bytes) else { return false }
    }
    return true
  }

  /// Ends the results, and waits until the person has read them.
  ///
  /// - Throws: What writing to the terminal throws, and `configuration.invalid` for a pager that
  ///   did not start or was killed: then the results were not shown.
  func finish() throws(GatebookError) {
    let program = try state.withLock { (state) throws(GatebookError) in
      state.isOver = true
      _ = try release(&state)
      return state.program.take()
    }
    guard let program else { return }
    FileDescriptor.close(program.input)
    let end = program.process.wait()
    Self.shown.withLock { $0 = false }
    guard let end, end.wasKilled || [126, 127].contains(end.code) else { return }
    let message =
      "The pager `\(command)` \(end.wasKilled ? "was killed" : "could not be started"), and the results "
      + "were not shown."
    let remedy = "Set GATEBOOK_PAGER=cat, then run the command again."
    _ = try messages.write(Array("gatebook: \(message)\n  \(remedy)\n".utf8))
    throw GatebookError(.configurationInvalid, message, remedy: remedy)
  }

  private func start() -> (process: ChildProcess, input: Int32)? {
    // Both ends are close-on-exec; the new program keeps only its copy at 0.
    guard let ends = Pipe() else { return nil }
    defer { FileDescriptor.close(ends.output) }
    // As git does: colors pass, and what is read stays on the screen.
    let script = "export LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"\n\(command)"
    Terminal.restore()
    let process = ChildProcess(
      "/bin/sh", ["sh", "-c", script],
      streams: [.descriptor(ends.output), .inherited, .inherited])
    guard let process else {
      FileDescriptor.close(ends.input)
      return nil
    }
    Self.shown.withLock { $0 = true }
    return (process, ends.input)
  }
}
