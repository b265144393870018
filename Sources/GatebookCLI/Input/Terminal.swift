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
    guard isHidden else {
      put(question)
      return try InputLine.read(from: descriptor, interruption: interruption)
    }
    var shown = termios()
    guard tcgetattr(descriptor, &shown) == 0 else { throw .unreadable(errno) }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ICANON | ISIG)
    // A program that is stopped here would leave its shell without echo.
    let stopping = signal(SIGTSTP, SIG_IGN)
    // TCSAFLUSH: what was typed before the question is not the answer.
    guard tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { throw .unreadable(errno) }
    defer {
      tcsetattr(descriptor, TCSAFLUSH, &shown)
      signal(SIGTSTP, stopping)
      put("\n")
    }
    // Only now: whoever answers at once must not find the echo still on.
    put(question)
    return try InputLine.read(from: descriptor, interruption: interruption)
  }

  private borrowing func put(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
