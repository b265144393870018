internal import GatebookThreads

extension LoopbackServer {
  /// What was received so far, in order, over restarts; refused and half-read requests are not in it.
  public var requests: [LoopbackRequest] {
    work.state.withLock { $0.requests }
  }

  /// Empties the log; the numbers of requests do not start over.
  public func forgetRequests() {
    work.state.withLock { $0.requests = [] }
  }

  /// Waits until the log holds so many requests, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the server was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [LoopbackRequest] {
    await withCheckedContinuation { continuation in
      let ready: [LoopbackRequest]? = work.state.withLock { state in
        guard state.requests.count < count, state.phase == .up else { return state.requests }
        state.watchers.append(ServerState.Watcher(count: count, continuation: continuation))
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}
