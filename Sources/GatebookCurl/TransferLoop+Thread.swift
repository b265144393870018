internal import GatebookEvents
internal import GatebookSystem
internal import Glibc

extension TransferLoop {
  /// Starts a thread that serves a queue.
  ///
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  static func start(_ queue: AskQueue, _ settings: CurlSettings) throws(GatebookError) {
    try PosixThread.detach {
      leaveSignalsToOthers()
      serve(queue, settings)
    }
  }
}

/// Blocks all signals on this thread but those of its own faults: the app's handlers run on the app's
/// threads, and a write to a closed connection (SIGPIPE) stays a status of libcurl.
private func leaveSignalsToOthers() {
  var signals = sigset_t()
  sigfillset(&signals)
  for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] {
    sigdelset(&signals, fault)
  }
  pthread_sigmask(SIG_SETMASK, &signals, nil)
}
