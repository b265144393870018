internal import GatebookEvents
internal import Glibc

/// The signals that end a program: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// The handler writes the signal's number into a pipe and nothing else; a thread waits at its other end.
/// (`sigwait` cannot be used: the runtime's main thread waits in `sigsuspend` with no signal
/// blocked.)
package enum EndingSignals {
  /// A handler is a bare function: what it writes to can only be found from everywhere.
  ///
  /// One for the process, as signals are; never changed.
  private static let pipe = Pipe()

  /// Starts to catch the signals, once in a process; one that the parent ignores (`nohup`) stays
  /// ignored.
  ///
  /// Without a descriptor or a thread left nothing is caught: signals then end the process as usual.
  ///
  /// `timeout` sends SIGTERM to its child and then to the group that the child is in: what is no Ctrl-C
  /// and comes again within a second is the same wish.
  ///
  /// - Parameter heard: What each signal does, on a thread of its own; `1` for the first one.
  package static func watch(_ heard: @escaping @Sendable (Int) -> Void) {
    guard let pipe else { return }
    do throws(GatebookError) {
      try PosixThread.detach {
        var count = 0
        var last: (signal: Int32, at: ContinuousClock.Instant)?
        while true {
          let signal = wait(pipe.output)
          let now = ContinuousClock.now
          if let last, signal != SIGINT, signal == last.signal, now - last.at < .seconds(1) {
            continue
          }
          last = (signal, now)
          count += 1
          heard(count)
        }
      }
    } catch {
      return
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { Self.catch(signal) }
  }

  private static func `catch`(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      let number = errno
      var byte = UInt8(truncatingIfNeeded: signal)
      if let pipe = EndingSignals.pipe { write(pipe.input, &byte, 1) }
      errno = number
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of a function: only its bits can be compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Waits for the next signal's number.
  private static func wait(_ descriptor: Int32) -> Int32 {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
    return Int32(byte)
  }
}
