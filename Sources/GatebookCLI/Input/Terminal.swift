internal import GatebookSystem

/// The terminal the process was started from, whatever its standard streams are.
///
/// It does not show what is typed, from a run's first question to its last, and stays so between
/// two questions: a secret that is typed ahead is never shown. A program that is stopped (Ctrl-Z)
/// leaves the terminal as it was, and asks its open question again when it continues. What another
/// program, such as a pager, has made of the terminal is left alone.
///
/// One for the process, as its terminal and its signals are.
enum Terminal {
  private struct State: Sendable {
    /// The terminal; `nil` before the first question.
    var terminal: OpenFile?
    /// The terminal's settings before the first question.
    var shown: TerminalSettings?
    /// Whether the terminal must not show what is typed.
    var isOff = false
    /// Whether the terminal has to be given back.
    var isTaken = false
    /// Whether the open question takes each byte as it is typed.
    var takesBytes = false
    /// The open question, and what was typed of its answer as far as it is shown.
    var question: [UInt8] = []
  }

  private static let state = Locked(State())

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
  static func ask(
    _ question: String, isHidden: Bool, interruption: Int32?
  ) throws(InputLine.Failure) -> [UInt8] {
    SignalAction.unblockStops()
    let terminal = try begin(question, takesBytes: !isHidden)
    defer { end() }
    guard !isHidden else {
      return try InputLine.read(from: terminal.descriptor, interruption: interruption)
    }
    var line = TypedLine()
    while line.bytes.count <= InputLine.limit {
      let byte = try InputLine.nextByte(from: terminal.descriptor, interruption: interruption)
      switch byte.map({ line.take($0) }) ?? .isOver {
      case .shows(let bytes): show(bytes)
      case .erases(let columns):
        show(Array(String(repeating: "\u{8} \u{8}", count: columns).utf8))
      case .ends: return line.bytes
      case .isOver: throw .ended
      }
    }
    throw .tooLong
  }

  /// Turns the echo off and asks.
  ///
  /// What was typed before the question is not its answer.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - takesBytes: Whether the answer is read byte by byte and shown by its reader; else by
  ///     lines.
  /// - Returns: The terminal.
  /// - Throws: `InputLine.Failure.unreadable` when there is no terminal.
  private static func begin(
    _ question: String, takesBytes: Bool
  ) throws(InputLine.Failure) -> OpenFile {
    try state.withLock { (state) throws(InputLine.Failure) in
      let terminal = state.terminal ?? OpenFile.open("/dev/tty", .both)
      guard let terminal else { throw .unreadable(.noDevice) }
      if state.terminal == nil {
        state.terminal = terminal
        TerminalSignals.watch(leaving: { leave() }, returning: { comeBack() })
      }
      guard waitForForeground(state) else { throw .unreadable(.inputOutput) }
      // Only now: in the background the settings are those of somebody else.
      if !state.isTaken {
        guard let shown = settings(state) else { throw .unreadable(.last) }
        state.shown = shown
      }
      state.takesBytes = takesBytes
      guard hide(state) else { throw .unreadable(.last) }
      state.isOff = true
      state.isTaken = true
      state.question = Array(question.utf8)
      // Only now: a fast answer must not find the echo still on.
      put(state.question, state)
      return terminal
    }
  }

  /// Shows a part of the answer to the open question.
  private static func show(_ typed: [UInt8]) {
    state.withLock { state in
      state.question += typed
      put(typed, state)
    }
  }

  /// Ends the open question; the echo stays off.
  private static func end() {
    state.withLock { state in
      state.question = []
      put([UInt8(ascii: "\n")], state)
    }
  }

  /// Gives the terminal back as it was before the first question, and keeps it no more.
  ///
  /// Where another program uses it now, the next call tries again.
  static func restore() {
    state.withLock { state in
      state.isOff = false
      if giveBack(state) { state.isTaken = false }
    }
  }

  private static func leave() {
    state.withLock { state in _ = giveBack(state) }
  }

  /// - Returns: Whether it was still this program's.
  private static func giveBack(_ state: State) -> Bool {
    guard state.isTaken, isInForeground(state), isHidden(state), let terminal = state.terminal
    else { return false }
    return state.shown?.apply(to: terminal.descriptor) == true
  }

  private static func comeBack() {
    state.withLock { state in
      // A program that continues in the background without a question needs no terminal.
      guard state.isOff, !state.question.isEmpty || isInForeground(state) else { return }
      guard waitForForeground(state), !isHidden(state), hide(state), isInForeground(state) else {
        return
      }
      put(state.question, state)
    }
  }

  /// Stops the program until it has the terminal.
  ///
  /// The kernel does that only where the terminal's settings change or a byte is read: the settings
  /// that are kept before must be the shell's, not those that it sets while a line is typed there.
  ///
  /// - Returns: `false` where nobody can give it the terminal, as without a shell.
  private static func waitForForeground(_ state: State) -> Bool {
    for _ in 1...100 where !isInForeground(state) { SignalAction.take(Signal.reading) }
    return isInForeground(state)
  }

  private static func isInForeground(_ state: State) -> Bool {
    state.terminal.map { TerminalSettings.isInForeground($0.descriptor) } == true
  }

  private static func isHidden(_ state: State) -> Bool {
    guard let current = settings(state), let hidden = hidden(state) else { return false }
    return current.echoes(as: hidden)
  }

  /// - Returns: Whether the terminal took it.
  private static func hide(_ state: State) -> Bool {
    guard let terminal = state.terminal, let hidden = hidden(state) else { return false }
    return hidden.apply(to: terminal.descriptor)
  }

  private static func settings(_ state: State) -> TerminalSettings? {
    state.terminal.flatMap { TerminalSettings(of: $0.descriptor) }
  }

  private static func hidden(_ state: State) -> TerminalSettings? {
    state.shown?.hidden(takesBytes: state.takesBytes)
  }

  private static func put(_ bytes: [UInt8], _ state: State) {
    _ = state.terminal?.write(bytes)
  }
}
