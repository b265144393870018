internal import GatebookSystem

extension FakeLiferayPortal {
  /// Who can log in; to be changed at any time.
  public var users: [FakePortalUser] {
    get { work.state.withLock { $0.users } }
    set { work.state.withLock { $0.users = newValue } }
  }

  /// Changes one user in place; nothing happens when there is none of this id.
  public func change(_ userID: Int64, _ body: (inout FakePortalUser) -> Void) {
    work.state.withLock { $0.change(userID, body) }
  }

  /// The sessions that were not ended, guests' included, in no order.
  public var sessions: [FakePortalSession] {
    work.state.withLock { Array($0.sessions.values) }
  }

  /// Ends the sessions of a user, or all there are, without notifying clients.
  public func endSessions(of userID: Int64? = nil) {
    work.state.withLock { $0.endSessions(of: userID) }
  }

  /// Every session id, CSRF token, enciphered cookie value, code, verifier and OAuth token that was
  /// ever given out: none of them may be found in the clear in what a client writes.
  public var secretsIssued: [String] {
    work.state.withLock { $0.issued }
  }
}
