extension FakeGateway {
  /// How many web sockets are held: accepted, and ended by neither side.
  public var openWebSockets: Int {
    let held = work.state.withLock { $0.webSockets }
    return work.server.withLock { state in held.count { state.connections[$0] != nil } }
  }

  /// Ends all web sockets that are held, without a word, as a broken network does.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func dropWebSockets() -> Int {
    let held = work.state.withLock { state in
      defer { state.webSockets = [] }
      return state.webSockets
    }
    return work.server.withLock { state in
      let sockets = held.compactMap { state.connections[$0] }
      for socket in sockets { socket.disconnect() }
      return sockets.count
    }
  }
}
