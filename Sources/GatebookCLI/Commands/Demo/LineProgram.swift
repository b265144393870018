internal import GatebookSystem

/// A program that reads commands and answers each with a line; it ends when its input does.
@MainActor final class LineProgram {
  private let process: ChildProcess
  /// What the program reads, and what it prints.
  private let input: Int32
  private let output: Int32
  private var isRunning = true

  /// Starts it; `nil` when it cannot be started.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - words: What follows its name.
  ///   - environment: Its variables as `NAME=value`; `nil` for those of this process.
  ///   - isApart: Whether it belongs to no terminal, so that Ctrl-C does not reach it, and what it
  ///     prints on standard error is read as its answers are.
  init?(
    _ path: String, _ words: [String] = [], environment: [String]? = nil, isApart: Bool = false
  ) {
    guard let toProgram = Pipe() else { return nil }
    guard let fromProgram = Pipe() else {
      FileDescriptor.close(toProgram.input)
      FileDescriptor.close(toProgram.output)
      return nil
    }
    defer {
      FileDescriptor.close(toProgram.output)
      FileDescriptor.close(fromProgram.input)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let process = ChildProcess(
      path, [name] + words, environment: environment,
      streams: [
        .descriptor(toProgram.output), .descriptor(fromProgram.input),
        isApart ? .descriptor(fromProgram.input) : .inherited,
      ], isOwnSession: isApart)
    guard let process else {
      FileDescriptor.close(toProgram.input)
      FileDescriptor.close(fromProgram.output)
      return nil
    }
    (self.process, input, output) = (process, toProgram.input, fromProgram.output)
  }

  /// The next line that it prints; `nil` at its end.
  func line() -> String? {
    guard isRunning else { return nil }
    var bytes: [UInt8] = []
    while true {
      guard let byte = FileDescriptor.read(output, atMost: 1)?.first else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Sends it a command.
  ///
  /// - Returns: The line that it answers with; `nil` when it has ended.
  func answer(to command: String) -> String? {
    guard isRunning, FileDescriptor.write("\(command)\n".utf8, to: input) else { return nil }
    return line()
  }

  /// Ends its input, and waits until it has ended.
  ///
  /// - Returns: What it still printed, and its exit status; `nil` the second time, and when the
  ///   status cannot be known.
  @discardableResult
  func end() -> (lines: [String], exit: Int32)? {
    guard isRunning else { return nil }
    FileDescriptor.close(input)
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    isRunning = false
    FileDescriptor.close(output)
    return process.wait().map { (lines, $0.code) }
  }
}
