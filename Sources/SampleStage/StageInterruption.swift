internal import GatebookSystem
internal import Glibc

/// Puts things in order when a signal ends the program: Ctrl-C above all.
enum StageInterruption {
  /// Ends the program with 130 at the first signal, after putting things in order.
  ///
  /// The terminal is given back as it is now: the signal may come while nothing is shown.
  ///
  /// - Parameter tidy: What else is to be done; runs on a thread of its own.
  static func watch(_ tidy: @escaping @Sendable () -> Void) {
    var shown = termios()
    let isTerminal = tcgetattr(0, &shown) == 0
    let settings = shown
    EndingSignals.watch { _, _ in
      var shown = settings
      if isTerminal { tcsetattr(0, TCSANOW, &shown) }
      tidy()
      _exit(130)
    }
  }
}
