internal import GatebookSystem

/// The terminal the process was started from, whatever its standard streams are.
struct Terminal: ~Copyable {
  private let file: OpenFile

  private init(_ file: OpenFile) {
    self.file = file
  }

  /// Opens the controlling terminal; `nil` when there is none.
  static func open() -> Terminal? {
    OpenFile.open("/dev/tty", .both).map { Terminal($0) }
  }

  /// Whether there is one.
  static var isThere: Bool {
    OpenFile.open("/dev/tty", .both) != nil
  }

  /// How many columns the terminal of a descriptor has; `nil` when it is none or does not say.
  static func columns(_ descriptor: Int32) -> Int? {
    TerminalSettings.size(of: descriptor).flatMap { $0.columns > 0 ? $0.columns : nil }
  }

  /// How many lines the terminal of a descriptor has; `nil` when it is none or does not say.
  static func rows(_ descriptor: Int32) -> Int? {
    TerminalSettings.size(of: descriptor).flatMap { $0.rows > 0 ? $0.rows : nil }
  }

  /// Asks a question and reads the line that is typed.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - isHidden: Whether what is typed is not shown.
  ///   - interruption: A descriptor that becomes readable when the run is cancelled.
  /// - Returns: The line without its end.
  /// - Throws: Why there is none.
  borrowing func ask(
    _ question: String, isHidden: Bool, interruption: Int32?
  ) throws(InputLine.Failure) -> [UInt8] {
    SignalAction.unblockStops()
    try TerminalEcho.ask(question, takesBytes: !isHidden)
    defer { TerminalEcho.end() }
    guard !isHidden else {
      return try InputLine.read(from: file.descriptor, interruption: interruption)
    }
    var line = TypedLine()
    while line.bytes.count <= InputLine.limit {
      let byte = try InputLine.nextByte(from: file.descriptor, interruption: interruption)
      switch byte.map({ line.take($0) }) ?? .isOver {
      case .shows(let bytes): TerminalEcho.show(bytes)
      case .erases(let columns):
        TerminalEcho.show(Array(String(repeating: "\u{8} \u{8}", count: columns).utf8))
      case .ends: return line.bytes
      case .isOver: throw .ended
      }
    }
    throw .tooLong
  }
}
