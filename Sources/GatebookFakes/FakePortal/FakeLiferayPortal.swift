public import Gatebook
internal import GatebookSystem
internal import GatebookTestSupport

/// A fake Liferay portal for tests and demonstrations: a real HTTP server on 127.0.0.1.
///
/// It behaves like 6.2 or 7.0 to 7.3 for logins by Basic, cookie, OAuth 1.0a and OAuth 2. It says
/// that it is a fake in its `Server` field and on every page. It reads HTTP, forms and cookies with
/// readers of its own, and JSON with Foundation's. It checks signatures, challenges and Digest
/// answers with code of its own on libcrypto. So no mistake of Gatebook's can hide in it.
///
/// ```swift
/// let portal = try FakeLiferayPortal(users: [.ada], clock: FixedClock())
/// try portal.start()
/// portal.inject(.status(503, retryAfter: 5), on: .invoke)
/// // … log in to portal.url as FakePortalUser.ada …
/// #expect(portal.requests.last?.userID == FakePortalUser.ada.userID)
/// ```
///
/// | Route | What it does |
/// |---|---|
/// | `POST /api/jsonws/invoke` | JSON-WS calls: the user commands and `get-user-sites-groups` |
/// | `POST /c/portal/login`, `GET /c/portal/logout` | the login form and its end |
/// | `GET /`, `GET /web/guest`, `GET /c` | pages with a CSRF token; the last one redirects |
/// | `GET /documents/{id}` | a file for logged-in sessions |
/// | `GET /o/oauth2/authorize` | asks a logged-in user; leads others to log in first |
/// | `POST /o/oauth2/token` | tokens for a code, a password, a refresh token or an application |
/// | `POST /o/oauth2/revoke` | takes a token back, when switched on |
/// | `/c/portal/oauth/request_token`, `authorize`, `access_token` | OAuth 1.0a with HMAC-SHA1 |
///
/// Same seed, same order of requests: same session ids and tokens. A stopped portal refuses
/// connections, and starts again without its sessions; tokens, codes and settings stay.
///
/// A call is known by its Bearer token, by Basic, by its OAuth 1.0a signature or by its session's
/// cookie, in this order. The person in front of the browser is played by a `PortalVisitor`. The
/// portal's life, its log and its faults are those of every ``FakeServer``.
///
/// ## What is inferred
/// The protocol notes leave these open; where something depends on them, there is a switch:
/// - 401 or guest for an unknown Bearer token (`takesBadBearerForGuest`).
/// - Whether a refresh ends the old access token (`endsAccessTokenOnRefresh`).
/// - The bodies of OAuth 1.0a refusals (`omitsOAuthProblem`), the status for a bad timestamp (400)
///   and what a denied consumer gets (`permission_denied`).
/// - The path of revocation (`hasRevocation`), whether the login form needs a token
///   (`needsTokenForLogin`), whether `PASSWORD` is set (`setsPasswordCookie`).
/// - `invalid_scope` for more or less than a name that is registered.
/// - An error redirect for an authorization request that is wrong in anything but client and
///   redirect URI.
/// - A code is spent by its first use, right or wrong, and after 600 s.
/// - The page of a failed login, and the forms of the pages: their fields are the fake's own.
/// - OAuth 2 and OAuth 1.0a are there whatever the release.
///
/// ## Topics
/// ### Users and sessions
/// - ``users``
/// - ``sessions``
/// - ``endSessions(of:)``
/// - ``secretsIssued``
/// ### OAuth
/// - ``applications``
/// - ``consumers``
/// - ``tokens``
/// - ``revokeTokens(of:)``
/// ### Behaviour
/// - ``switches``
/// - ``LoopbackFault/misreport(_:)``
/// - ``advance(by:)``
public final class FakeLiferayPortal: FakeServer {
  /// The HTTP server that it runs on.
  public let server: LoopbackServer
  private let state: Locked<PortalState>

  /// Makes a portal that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - users: Who can log in.
  ///   - applications: The OAuth 2 applications.
  ///   - consumers: The OAuth 1.0a consumers.
  ///   - switches: How it behaves.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - tls: How it speaks TLS; plain HTTP unless given.
  ///   - seed: What session ids and tokens are made from.
  ///   - clock: Ages sessions and fills `Date`; the machine's own clock unless given.
  ///   - wait: What a delay does; nothing unless given.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  public init(
    users: [FakePortalUser] = FakePortalUser.samples,
    applications: [FakePortalApplication] = FakePortalApplication.samples,
    consumers: [FakePortalConsumer] = FakePortalConsumer.samples,
    switches: FakePortalSwitches = FakePortalSwitches(), port: UInt16 = 0, tls: LoopbackTLS? = nil,
    seed: UInt64 = 1, clock: (any BookClock)? = nil,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(GatebookError) {
    state = Locked(
      PortalState(
        switches: switches, users: users, oauth1: PortalOAuth1(consumers: consumers),
        oauth2: PortalOAuth2(applications: applications), random: SplitMix(seed: seed)))
    server = try LoopbackServer(state, port: port, tls: tls, clock: clock, wait: wait)
  }

  /// What was received so far, in order, over restarts.
  public var requests: [FakePortalRequest] { server.requests(of: state) }

  /// Who can log in; to be changed at any time.
  public var users: [FakePortalUser] {
    get { state.withLock { $0.users } }
    set { state.withLock { $0.users = newValue } }
  }

  /// Changes one user in place; nothing happens when there is none of this id.
  public func change(_ userID: Int64, _ body: (inout FakePortalUser) -> Void) {
    state.withLock { $0.change(userID, body) }
  }

  /// The sessions that were not ended, guests' included, in no order.
  public var sessions: [FakePortalSession] {
    state.withLock { Array($0.sessions.values) }
  }

  /// Ends the sessions of a user, or all there are, without notifying clients.
  public func endSessions(of userID: Int64? = nil) {
    state.withLock { $0.endSessions(of: userID) }
  }

  /// Every session id, CSRF token, enciphered cookie value, code, verifier and OAuth token that was
  /// ever given out: none of them may be found in the clear in what a client writes.
  public var secretsIssued: [String] {
    state.withLock { $0.issued }
  }

  /// The OAuth 2 applications that are registered; to be changed at any time, such as when the port
  /// of a redirect URI is known.
  public var applications: [FakePortalApplication] {
    get { state.withLock { $0.oauth2.applications } }
    set { state.withLock { $0.oauth2.applications = newValue } }
  }

  /// The OAuth 1.0a consumers that are registered; to be changed at any time.
  public var consumers: [FakePortalConsumer] {
    get { state.withLock { $0.oauth1.consumers } }
    set { state.withLock { $0.oauth1.consumers = newValue } }
  }

  /// The OAuth 2 tokens that were not taken back or replaced, expired ones included, in the order
  /// of their making.
  public var tokens: [FakePortalToken] {
    state.withLock { state in
      state.oauth2.tokens.filter { $0.accessToken != nil || $0.refreshToken != nil }
    }
  }

  /// Ends the OAuth 2 access tokens; what renews them stays.
  public func endAccess() {
    state.withLock { state in
      for index in state.oauth2.tokens.indices { state.oauth2.tokens[index].accessToken = nil }
    }
  }

  /// Takes back the OAuth tokens and codes that stand for a user, or all there are.
  public func revokeTokens(of userID: Int64? = nil) {
    state.withLock { $0.revokeTokens(of: userID) }
  }

  /// How the portal behaves; to be changed at any time.
  public var switches: FakePortalSwitches {
    get { state.withLock { $0.switches } }
    set { state.withLock { $0.switches = newValue } }
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

  /// Lets time pass for the portal alone: sessions age, `Date` moves.
  public func advance(by duration: Duration) {
    state.withLock { $0.advance += duration }
  }
}

extension LoopbackFault {
  /// JSON-WS calls tell another user id than the user's own.
  public static func misreport(_ userID: Int64) -> LoopbackFault {
    .alter { reply in
      guard case .bytes(let bytes) = reply.content else { return reply }
      var reply = reply
      let text = String(decoding: bytes, as: UTF8.self)
        .replacing(/"userId":("?)[0-9]+/) { "\"userId\":\($0.1)\(userID)" }
      reply.content = .bytes(Array(text.utf8))
      return reply
    }
  }
}
