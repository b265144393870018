internal import GatebookSystem

/// Turns the signals that end a program into the cancellation of its task: the first signal cancels,
/// a second one ends the process at once.
final class Interruption: Sendable {
  /// Becomes readable with the first signal and stays so: what waits for input waits for this too.
  let descriptor: Int32
  private let cancelled: Int32

  private init(_ pipe: Pipe) {
    descriptor = pipe.output
    cancelled = pipe.input
  }

  /// Makes an interruption; nothing is caught before `watch`.
  ///
  /// - Returns: `nil` when the process has no descriptors left; signals then end it as usual.
  static func prepare() -> Interruption? { Pipe().map { Interruption($0) } }

  /// Starts to catch the signals.
  ///
  /// - Parameter cancel: What the first one does.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    EndingSignals.watch { [cancelled] signal, count in
      // A pager on the terminal gets the same Ctrl-C and decides when it ends.
      guard count == 1 || (Pager.isShown && signal == Signal.interrupt) else {
        TerminalEcho.restore()
        ThisProcess.exitAtOnce(ExitCode.cancelled.rawValue)
      }
      _ = FileDescriptor.write([1], to: cancelled)
      cancel()
    }
  }
}
