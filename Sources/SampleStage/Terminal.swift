package import Gatebook
internal import Glibc

/// Asks and answers a person, or a script that is piped in.
@MainActor package enum Terminal {
  /// Prints a line at once.
  package static func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Asks for a line.
  ///
  /// - Parameter question: Such as `Name`; the colon is added.
  /// - Returns: The line; `nil` at the end of the input.
  package static func ask(_ question: String) -> String? {
    let isTyped = isatty(0) == 1
    // A script's answer brings no line end of its own to the screen.
    print("\(question):", terminator: isTyped ? " " : "\n")
    fflush(nil)
    return readLine()
  }

  /// Asks for a line that is not shown while it is typed.
  ///
  /// - Parameter question: Such as `Password`; the colon is added.
  /// - Returns: The line; `nil` at the end of the input.
  package static func askHidden(_ question: String) -> Secret? {
    var shown = termios()
    guard tcgetattr(0, &shown) == 0 else { return ask(question).map { Secret($0) } }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // A program that is stopped here would leave its shell without echo; one that is ended gives
    // the terminal back (see `StageInterruption`).
    let stopping = signal(SIGTSTP, SIG_IGN)
    tcsetattr(0, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(0, TCSAFLUSH, &shown)
      signal(SIGTSTP, stopping)
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
