internal import GatebookSystem

extension FakeLiferayPortal {
  /// The OAuth 2 applications that are registered; to be changed at any time, such as when the port
  /// of a redirect URI is known.
  public var applications: [FakePortalApplication] {
    get { work.state.withLock { $0.oauth2.applications } }
    set { work.state.withLock { $0.oauth2.applications = newValue } }
  }

  /// The OAuth 1.0a consumers that are registered; to be changed at any time.
  public var consumers: [FakePortalConsumer] {
    get { work.state.withLock { $0.oauth1.consumers } }
    set { work.state.withLock { $0.oauth1.consumers = newValue } }
  }

  /// The OAuth 2 tokens that were not taken back or replaced, expired ones included, in the order
  /// of their making.
  public var tokens: [FakePortalToken] {
    work.state.withLock { state in
      state.oauth2.tokens.filter { $0.accessToken != nil || $0.refreshToken != nil }
    }
  }

  /// The OAuth 1.0a token credentials that were not taken back, in no order.
  public var consumerTokens: [FakePortalConsumerToken] {
    work.state.withLock { Array($0.oauth1.tokens.values) }
  }

  /// Ends the OAuth 2 access tokens; what renews them stays.
  public func endAccess() {
    work.state.withLock { state in
      for index in state.oauth2.tokens.indices { state.oauth2.tokens[index].accessToken = nil }
    }
  }

  /// Takes back the OAuth tokens and codes that stand for a user, or all there are.
  public func revokeTokens(of userID: Int64? = nil) {
    work.state.withLock { $0.revokeTokens(of: userID) }
  }
}
