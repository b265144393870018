internal import GatebookSystem

/// Puts things in order when a signal ends the program: Ctrl-C above all.
enum StageInterruption {
  /// Ends the program with 130 at the first signal, after putting things in order.
  ///
  /// The terminal is given back as it is now: the signal may come while nothing is shown.
  ///
  /// - Parameter tidy: What else is to be done; runs on a thread of its own.
  static func watch(_ tidy: @escaping @Sendable () -> Void) {
    let shown = TerminalSettings(of: FileDescriptor.standardInput)
    EndingSignals.watch { _, _ in
      _ = shown?.apply(to: FileDescriptor.standardInput)
      tidy()
      ThisProcess.exitAtOnce(130)
    }
  }
}
