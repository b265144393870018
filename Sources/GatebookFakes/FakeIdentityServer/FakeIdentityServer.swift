public import Gatebook
internal import GatebookSystem

/// A small fake OpenID provider on 127.0.0.1, with a resource behind its tokens, for tests.
///
/// It knows one person and one application, and asks nobody: who opens its page is sent back with a
/// code. It reads requests and writes and signs tokens with code of its own; only the arithmetic of
/// keys and hashes is libcrypto's.
///
/// ```swift
/// let server = try FakeIdentityServer()
/// try server.start()
/// // … log in to server.url as the application FakeIdentityServer.clientID …
/// ```
///
/// | Route | What it does |
/// |---|---|
/// | `GET /.well-known/openid-configuration` | describes the server |
/// | `POST /par` | keeps a request for the page (RFC 9126): 201, 404 unless it is set |
/// | `GET /authorize` | 302 with a code, wants PKCE with S256 |
/// | `POST /device` | gives codes for another device |
/// | `POST /token` | the five grants; refresh tokens rotate |
/// | `GET /keys` | the public key of its ID tokens |
/// | `GET /me` | who the token's person is: 200, 401, 403 for the application's own |
/// | `GET /notes` | wants a token: 200, 401 |
/// | `GET /safe` | wants `acr` `urn:example:two-factors`: 200, 401 (RFC 9470) |
/// | `GET /archive` | wants the scope `archive`: 200, 401, 403 |
/// | `POST /revoke` | takes a token back |
/// | `POST /introspect` | tells an application with a secret of a token |
/// | `GET /leave` | ends the person's own session: 200, 400 without an ID token |
///
/// Codes and tokens are counted: `code-1`, `access-1`, `refresh-1`. A stopped server refuses
/// connections, and starts again with all it knew.
///
/// Its life, its log and its faults are those of every ``FakeServer``; a route is its path.
///
/// ## Topics
/// ### Who it knows
/// - ``clientID``
/// - ``secret``
/// - ``clientKeyPEM``
/// - ``user``
/// - ``password``
/// - ``subject``
/// ### Behaviour
/// - ``issuer``
/// - ``settings``
/// - ``endTokens()``
/// - ``endSessions()``
/// - ``liveTokens``
/// ### What it gave
/// - ``secretsIssued``
/// - ``leavers``
public final class FakeIdentityServer: FakeServer {
  /// A route is its path.
  public typealias Route = String

  /// A request as it came.
  public typealias Request = LoopbackRequest

  /// The application.
  public static let clientID = "app"
  /// The application's secret; form-encoding changes it.
  public static let secret = "app secret: 100%"
  /// The application's private key in PEM, for `private_key_jwt`.
  public static let clientKeyPEM = FakeIdentityKey.clientPEM
  /// The person's name.
  public static let user = "ada"
  /// The person's password.
  public static let password = "pässword: 1"
  /// The person's id: `sub`.
  public static let subject = "248289761001"

  /// The HTTP server that it runs on.
  public let server: LoopbackServer
  private let state: Locked<IdentityState>

  /// Makes a server that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - settings: How it behaves.
  ///   - clock: Decides all times; the machine's own clock unless given.
  /// - Throws: `configuration.invalid` when no port can be had.
  public init(
    settings: FakeIdentitySettings = FakeIdentitySettings(), clock: (any BookClock)? = nil
  ) throws(GatebookError) {
    state = Locked(IdentityState(settings: settings))
    server = try LoopbackServer(state, clock: clock)
    issuer = server.url
  }

  /// What the server calls itself in documents and tokens: its `url` unless said, that of a proxy
  /// in front of it where there is one; one with a path has all routes below it.
  public var issuer: String {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }

  /// How it behaves.
  public var settings: FakeIdentitySettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// All codes and tokens that were ever given, for tests that look for leaks.
  public var secretsIssued: [String] { state.withLock { $0.issued } }

  /// How often the person has left by the page for it.
  public var leavers: Int { state.withLock { $0.leavers } }

  /// Refuses all access tokens from now on; refresh tokens stay.
  public func endTokens() {
    state.withLock { $0.tokens.removeAll() }
  }

  /// Refuses all access and refresh tokens from now on.
  public func endSessions() {
    state.withLock {
      $0.tokens.removeAll()
      $0.refreshTokens.removeAll()
    }
  }

  /// The access and refresh tokens that are good now.
  public var liveTokens: [String] {
    state.withLock { Array($0.tokens.keys) + Array($0.refreshTokens.keys) }.sorted()
  }
}
