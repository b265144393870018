extension FakeGateway {
  /// How many web sockets are open: accepted, and ended by neither side.
  public var openWebSockets: Int { server.heldConnections }

  /// Waits until so many web sockets are open at the same time.
  ///
  /// - Parameter count: How many.
  /// - Returns: How many are open at that moment; fewer when the gateway was stopped meanwhile.
  public func openWebSockets(atLeast count: Int) async -> Int {
    await server.heldConnections(atLeast: count)
  }

  /// Ends all open web sockets at once, without a word, as a broken network does.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func dropWebSockets() -> Int {
    server.dropHeldConnections()
  }
}
