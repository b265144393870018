internal import GatebookSystem

extension FakeGateway {
  /// Session ids that need care: a short one, one that needs encoding in a path, one of 4 KiB and
  /// one that is not ASCII.
  public static let sampleSessionIDs = [
    "abc", "a/b+c=d e", String(repeating: "0123456789abcdef", count: 256), "größe-日本-🔑",
  ]

  /// Who can log in; to be changed at any time.
  public var users: [FakeGatewayUser] {
    get { work.state.withLock { $0.users } }
    set { work.state.withLock { $0.users = newValue } }
  }

  /// The sessions that were not ended, in the order of their beginnings.
  public var sessions: [FakeGatewaySession] {
    work.state.withLock { $0.sessions }
  }

  /// Gives these ids to the next sessions, in order and after those chosen before; later ones get
  /// ids made from the seed.
  public func chooseSessionIDs(_ ids: [String]) {
    work.state.withLock { $0.chosenIDs += ids }
  }

  /// Ends the sessions of a user, or all there are, without notifying clients.
  public func endSessions(of username: String? = nil) {
    work.state.withLock { $0.endSessions(of: username) }
  }

  /// Every session id and cookie that was ever given out, the chosen ones included: none of them
  /// may be found in what a client writes.
  public var secretsIssued: [String] {
    work.state.withLock { $0.issued }
  }

  // MARK: Web sockets

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
