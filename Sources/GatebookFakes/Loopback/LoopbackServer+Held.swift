internal import GatebookThreads

extension LoopbackServer {
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
