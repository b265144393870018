internal import Gatebook
internal import GatebookSystem

/// The signals with which a program loses its terminal and gets it back: SIGTSTP (Ctrl-Z), SIGCONT
/// (`fg`) and SIGQUIT (Ctrl-\).
///
/// As with ``EndingSignals`` the handler only writes the signal's number into a pipe.
enum TerminalSignals {
  /// A handler is a bare function: what it writes to can only be found from everywhere.
  ///
  /// One for the process, as signals are; never changed.
  private static let pipe = Pipe()

  /// Starts to catch the signals, once in a process.
  ///
  /// Without a descriptor or a thread left the program cannot be stopped: a stopped one would leave
  /// its shell without echo.
  ///
  /// - Parameters:
  ///   - leaving: Runs before the program is stopped or quits.
  ///   - returning: Runs when it continues.
  static func watch(
    leaving: @escaping @Sendable () -> Void, returning: @escaping @Sendable () -> Void
  ) {
    guard let pipe, starts(pipe, leaving, returning) else {
      SignalAction.ignore(Signal.stop)
      return
    }
    // What the parent ignores stays ignored.
    for signal in [Signal.stop, Signal.continuing, Signal.quit]
    where !SignalAction.isIgnored(signal) {
      hear(signal)
    }
  }

  /// - Returns: Whether there is a thread for it.
  private static func starts(
    _ pipe: Pipe, _ leaving: @escaping @Sendable () -> Void,
    _ returning: @escaping @Sendable () -> Void
  ) -> Bool {
    let thread: Void? = try? PosixThread.detach {
      SignalAction.unblockStops()
      while true {
        switch SignalAction.next(from: pipe) {
        case Signal.continuing: returning()
        case Signal.stop:
          leaving()
          SignalAction.take(Signal.stop)
          hear(Signal.stop)
          returning()
        case let end:
          leaving()
          SignalAction.take(end)
        }
      }
    }
    return thread != nil
  }

  private static func hear(_ signal: Int32) {
    SignalAction.hear(signal) { SignalAction.pass($0, into: TerminalSignals.pipe) }
  }
}

/// Turns the signals that end a program into the cancellation of its task: the first signal
/// cancels, a second one ends the process at once.
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
        Terminal.restore()
        ThisProcess.exitAtOnce(ExitCode.cancelled.rawValue)
      }
      _ = FileDescriptor.write([1], to: cancelled)
      cancel()
    }
  }
}
