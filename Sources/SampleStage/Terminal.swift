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
    // No signals either: a program that is ended here would leave its shell without echo.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(0, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(0, TCSAFLUSH, &shown)
      say("")
    }
    return ask(question).map { Secret($0) }
  }

  /// Says what went wrong and what to do.
  package static func say(_ error: GatebookError) {
    say("\(error.message) \(error.remedy)")
  }
}
