internal import GatebookEvents
internal import Glibc

/// The signals that end a program: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// The handler writes the signal's number into a pipe and nothing else; a thread waits at its other
/// end. (`sigwait` cannot be used: the runtime's main thread waits in `sigsuspend` with no signal
/// blocked.)
package enum EndingSignals {
  /// A handler is a bare function: what it writes to can only be found from everywhere.
  ///
  /// One for the process, as signals are; never changed.
  private static let pipe = Pipe()

  /// Starts to catch the signals, once in a process; one that the parent ignores (`nohup`) stays
  /// ignored.
  ///
  /// Without a descriptor or a thread left nothing is caught: signals then end the process as
  /// usual.
  ///
  /// `timeout` sends SIGTERM to its child and then to the group that the child is in: what is no
  /// Ctrl-C and comes again within a second is the same wish.
  ///
  /// - Parameter heard: What each signal does, on a thread of its own; with how many came, this one
  ///   included.
  package static func watch(_ heard: @escaping @Sendable (_ signal: Int32, _ count: Int) -> Void) {
    guard let pipe else { return }
    do throws(GatebookError) {
      try PosixThread.detach {
        var count = 0
        var last: (signal: Int32, at: ContinuousClock.Instant)?
        while true {
          let signal = SignalAction.next(from: pipe)
          let now = ContinuousClock.now
          if let last, signal != SIGINT, signal == last.signal, now - last.at < .seconds(1) {
            continue
          }
          last = (signal, now)
          count += 1
          heard(signal, count)
        }
      }
    } catch {
      return
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] where !SignalAction.isIgnored(signal) {
      SignalAction.hear(signal) { SignalAction.pass($0, into: EndingSignals.pipe) }
    }
  }
}
