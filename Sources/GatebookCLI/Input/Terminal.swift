internal import GatebookSystem
internal import Glibc

/// The terminal the process was started from, whatever its standard streams are.
struct Terminal: ~Copyable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Opens the controlling terminal; `nil` when there is none.
  static func open() -> Terminal? {
    let descriptor = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    return Terminal(descriptor)
  }

  /// Whether there is one.
  static var isThere: Bool {
    guard let terminal = open() else { return false }
    _ = consume terminal
    return true
  }

  /// How many columns the terminal of a descriptor has; `nil` when it is none or does not say.
  static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// How many lines the terminal of a descriptor has; `nil` when it is none or does not say.
  static func rows(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
    return Int(size.ws_row)
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
      return try InputLine.read(from: descriptor, interruption: interruption)
    }
    var line = TypedLine()
    while line.bytes.count <= InputLine.limit {
      let byte = try InputLine.nextByte(from: descriptor, interruption: interruption)
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
