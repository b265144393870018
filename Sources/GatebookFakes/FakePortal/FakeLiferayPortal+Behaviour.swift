internal import GatebookSystem

extension FakeLiferayPortal {
  /// How the portal behaves; to be changed at any time.
  public var switches: FakePortalSwitches {
    get { work.state.withLock { $0.switches } }
    set { work.state.withLock { $0.switches = newValue } }
  }

  /// The routes that faults are put on.
  public enum Route: String, CaseIterable, Sendable {
    /// The JSON-WS calls.
    case invoke = "/api/jsonws/invoke"
    /// The login form.
    case login = "/c/portal/login"
    /// The end of a session.
    case logout = "/c/portal/logout"
    /// The redirect after a login.
    case hop = "/c"
    /// The page after a login.
    case page = "/web/guest"
    /// The first page.
    case root = "/"
    /// The documents.
    case documents = "/documents/*"
    /// The page that asks whether an OAuth 2 application may act for the user.
    case authorize = "/o/oauth2/authorize"
    /// The OAuth 2 tokens.
    case token = "/o/oauth2/token"
    /// The end of OAuth 2 tokens.
    case revoke = "/o/oauth2/revoke"
    /// The temporary credentials of OAuth 1.0a.
    case requestToken = "/c/portal/oauth/request_token"
    /// The page that asks whether an OAuth 1.0a consumer may act for the user.
    case consumerAuthorize = "/c/portal/oauth/authorize"
    /// The token credentials of OAuth 1.0a.
    case accessToken = "/c/portal/oauth/access_token"
  }

  /// Answers calls with a portal exception in the form of the release: 200 and flat in 6.2, 500
  /// later.
  ///
  /// - Parameters:
  ///   - message: What the exception says.
  ///   - times: How often; `nil` for always.
  public func raiseException(_ message: String = "outer", times: Int? = 1) {
    inject(Self.exception(message, work), on: .invoke, times: times)
  }

  static func exception(_ message: String, _ work: FakeServerWork<PortalState>) -> LoopbackFault {
    .answer { _ in
      PortalException.failure(message).reply(as: work.state.withLock { $0.switches.version })
    }
  }

  /// Tells a wrong user id in the next replies that tell one.
  public func misreport(_ userID: Int64, times: Int = 1) {
    work.state.withLock { $0.misreport(userID, times: times) }
  }

  /// Lets time pass for the portal alone: sessions age, `Date` moves.
  public func advance(by duration: Duration) {
    work.state.withLock { $0.advance += duration }
  }
}
