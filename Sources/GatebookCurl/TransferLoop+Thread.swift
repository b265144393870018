internal import Glibc

extension TransferLoop {
  private final class Launch {
    let queue: AskQueue
    let settings: CurlSettings

    init(_ queue: AskQueue, _ settings: CurlSettings) {
      self.queue = queue
      self.settings = settings
    }
  }

  /// Starts a thread that serves a queue; says whether there is one.
  static func start(_ queue: AskQueue, _ settings: CurlSettings) -> Bool {
    let launch = Unmanaged.passRetained(Launch(queue, settings))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let launch = Unmanaged<Launch>.fromOpaque(context).takeRetainedValue()
        leaveSignalsToOthers()
        TransferLoop.serve(launch.queue, launch.settings)
        return nil
      }, launch.toOpaque())
    guard status == 0 else {
      launch.release()
      return false
    }
    pthread_detach(thread)
    return true
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
