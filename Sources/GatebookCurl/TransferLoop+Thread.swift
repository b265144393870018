internal import GatebookEvents
internal import GatebookSystem

extension TransferLoop {
  /// Starts a thread that serves a queue.
  ///
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  static func start(_ queue: AskQueue, _ settings: CurlSettings) throws(GatebookError) {
    try PosixThread.detach {
      // A write to a closed connection (SIGPIPE) stays a status of libcurl.
      SignalAction.leaveToOthers()
      serve(queue, settings)
    }
  }
}
