internal import GatebookSystem

extension LoopbackServer {
  /// What was received so far, in order, over restarts; refused and half-read requests are not in
  /// it.
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

  /// How many connections are held: their answer was ``LoopbackReply/Delivery/held`` and has been
  /// sent, and neither side has ended them.
  public var heldConnections: Int {
    work.state.withLock { $0.held.count }
  }

  /// Waits until so many connections are held at the same time.
  ///
  /// - Parameter count: How many.
  /// - Returns: How many are held at that moment; fewer when the server was stopped meanwhile.
  public func heldConnections(atLeast count: Int) async -> Int {
    await withCheckedContinuation { continuation in
      let ready: Int? = work.state.withLock { state in
        guard state.held.count < count, state.phase == .up else { return state.held.count }
        state.heldWatchers.append(
          ServerState.HeldWatcher(count: count, continuation: continuation))
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  /// Ends all held connections at once, without a word, as a broken network does.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func dropHeldConnections() -> Int {
    work.state.withLock { state in
      let dropped = state.held
      state.held = []
      for number in dropped { state.connections[number]?.disconnect() }
      return dropped.count
    }
  }
}
