internal import GatebookEvents
internal import Glibc

/// The signals that end a program: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// The handler writes one byte into a pipe and nothing else; a thread waits at its other end.
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
  /// - Parameter heard: What each signal does, on a thread of its own; `1` for the first one.
  package static func watch(_ heard: @escaping @Sendable (Int) -> Void) {
    guard let pipe else { return }
    do throws(GatebookError) {
      try PosixThread.detach {
        for count in 1... {
          wait(pipe.output)
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
    action.__sigaction_handler.sa_handler = { _ in
      let number = errno
      var byte: UInt8 = 1
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

  private static func wait(_ descriptor: Int32) {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
  }
}
