package import Gatebook
internal import GatebookSystem

/// Asks and answers a person, or a script that is piped in.
@MainActor package enum Terminal {
  /// Prints a line at once.
  package static func say(_ text: String) {
    print(text)
    ThisProcess.flush()
  }

  /// Asks for a line.
  ///
  /// - Parameter question: Such as `Name`; the colon is added.
  /// - Returns: The line; `nil` at the end of the input.
  package static func ask(_ question: String) -> String? {
    let isTyped = FileDescriptor.isTerminal(FileDescriptor.standardInput)
    // A script's answer brings no line end of its own to the screen.
    print("\(question):", terminator: isTyped ? " " : "\n")
    ThisProcess.flush()
    return readLine()
  }

  /// Asks for a line that is not shown while it is typed.
  ///
  /// - Parameter question: Such as `Password`; the colon is added.
  /// - Returns: The line; `nil` at the end of the input.
  package static func askHidden(_ question: String) -> Secret? {
    let terminal = FileDescriptor.standardInput
    guard let shown = TerminalSettings(of: terminal) else {
      return ask(question).map { Secret($0) }
    }
    // A program that is stopped here would leave its shell without echo; one that is ended gives
    // the terminal back (see `StageInterruption`).
    let wasIgnored = SignalAction.isIgnored(Signal.stop)
    SignalAction.ignore(Signal.stop)
    _ = shown.hidden(takesBytes: false).apply(to: terminal)
    defer {
      _ = shown.apply(to: terminal)
      if !wasIgnored { SignalAction.reset(Signal.stop) }
      say("")
    }
    return ask(question).map { Secret($0) }
  }

  /// Asks for a name; `quit` leaves.
  ///
  /// - Returns: The name; `nil` for `quit`, and at the end of the input.
  package static func askName() -> String? {
    ask("Name (or quit)").flatMap { $0 == "quit" ? nil : $0 }
  }

  /// Asks until the answer is clear.
  ///
  /// - Parameter question: Such as `Remember me`; the choices and the colon are added.
  /// - Returns: Whether it was yes; `nil` at the end of the input.
  package static func confirm(_ question: String) -> Bool? {
    while let answer = ask("\(question) (y or n)") {
      switch answer.lowercased() {
      case "y", "yes": return true
      case "n", "no": return false
      default: say("Answer y or n.")
      }
    }
    return nil
  }

  /// Says what went wrong and what to do.
  package static func say(_ error: GatebookError) {
    say("\(error.message) \(error.remedy)")
  }
}
