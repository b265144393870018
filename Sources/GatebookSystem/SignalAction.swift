internal import Glibc

/// What a signal does to the process.
package enum SignalAction {
  /// Lets a function hear a signal; calls that it interrupts are made again.
  ///
  /// - Parameters:
  ///   - signal: The signal's number.
  ///   - handler: May call only what is safe in a signal's handler, and keeps `errno`.
  package static func hear(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Writes a signal's number into a pipe: all that a handler does.
  package static func pass(_ signal: Int32, into pipe: Pipe?) {
    let number = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    if let pipe { write(pipe.input, &byte, 1) }
    errno = number
  }

  /// Waits for the next signal's number.
  package static func next(from pipe: Pipe) -> Int32 {
    var byte: UInt8 = 0
    while read(pipe.output, &byte, 1) < 0, errno == EINTR {}
    return Int32(byte)
  }

  /// Whether the process was started to ignore the signal (`nohup`).
  package static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of a function: only its bits can be compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Lets the kernel stop the process when this thread uses the terminal from the background.
  ///
  /// Threads of the runtime block these signals, and so do the threads that they start: then the
  /// terminal's settings could be changed under the shell.
  package static func unblockStops() {
    unblock([SIGTSTP, SIGTTIN, SIGTTOU])
  }

  /// Blocks all signals on this thread but those of its own faults: the app's handlers run on the
  /// app's threads.
  package static func leaveToOthers() {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] {
      sigdelset(&signals, fault)
    }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
  }

  /// Whether the process was started to ignore broken pipes.
  package static let ignoredPipesBefore = isIgnored(SIGPIPE)

  /// Ignores broken pipes: a reader that went away is seen by `write`.
  package static func ignorePipes() {
    _ = ignoredPipesBefore
    ignore(SIGPIPE)
  }

  /// Ignores a signal.
  package static func ignore(_ number: Int32) { signal(number, SIG_IGN) }

  /// Lets a signal do what it does by default.
  package static func reset(_ number: Int32) { signal(number, SIG_DFL) }

  /// Does what a signal does by default: with a signal that stops the process this returns when it
  /// continues.
  package static func take(_ number: Int32) {
    signal(number, SIG_DFL)
    unblock([number])
    // To this thread: nothing after this line runs before.
    raise(number)
  }

  private static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
