public import Gatebook
internal import GatebookSystem
internal import GatebookTestSupport

/// A fake of a Fusion client web application and its session gateway: a real HTTP server on
/// 127.0.0.1, plain or with TLS, for tests and demonstrations.
///
/// It says that it is a fake in its `Server` field and on every page. It reads HTTP, paths and
/// cookies with a reader of its own, and JSON with Foundation's: no mistake of Gatebook's can hide
/// in it.
///
/// ```swift
/// let certificates = try FakeGatewayCertificates()
/// let gateway = try FakeGateway(users: [.ada], tls: LoopbackTLS(certificates.selfSigned))
/// try gateway.start()
/// gateway.chooseSessionIDs(["a/b+c=d e"])
/// gateway.inject(.dropAfterActing, on: .logout)
/// // … log in to gateway.loginURL as FakeGatewayUser.ada, and log out again …
/// #expect(gateway.requests(to: .logout).map(\.sessionID) == ["a/b+c=d e"])
/// ```
///
/// | Route | What it does |
/// |---|---|
/// | `POST {login path}` | `{"username","password"}`: 200 with the session, 401, 400 for a missing key |
/// | `DELETE {login path}/id/{id}` | ends a session: 200, or 404 for an unknown id (inferred) |
///
/// What public documentation does not say is inferred, and marked as inferred: the bodies of
/// refusals, the cookie, the answer to an unknown id.
///
/// Slow, broken and other answers are faults: ``LoopbackFault/delay(_:)``,
/// ``LoopbackFault/dropAfterActing`` and ``LoopbackFault/status(_:retryAfter:)`` on a route. Same
/// seed, same order of requests: same session ids and cookies. A stopped gateway refuses
/// connections, and starts again without its sessions.
///
/// Its life, its log and its faults are those of every ``FakeServer``.
///
/// ## Topics
/// ### Where it is
/// - ``loginURL``
/// ### Users and sessions
/// - ``users``
/// - ``sessions``
/// - ``chooseSessionIDs(_:)``
/// - ``endSessions(of:)``
/// - ``secretsIssued``
/// ### Behaviour
/// - ``switches``
public final class FakeGateway: FakeServer {
  /// Where the login is.
  public static let sampleLoginPath = "/csdk-sample/SDK/login"

  /// The routes that faults are put on.
  public enum Route: String, CaseIterable, Sendable {
    /// The login.
    case login = "/csdk-sample/SDK/login"
    /// The end of a session.
    case logout = "/csdk-sample/SDK/login/id/*"
  }

  /// The HTTP server that it runs on.
  public let server: LoopbackServer
  private let state: Locked<GatewayState>

  /// Makes a gateway that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - users: Who can log in.
  ///   - switches: How it behaves.
  ///   - tls: How it speaks TLS; plain HTTP unless given.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - seed: What session ids and cookies are made from.
  ///   - clock: Stamps requests and fills `Date`; the machine's own clock unless given.
  ///   - wait: What a delay does; nothing unless given.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  public init(
    users: [FakeGatewayUser] = FakeGatewayUser.samples,
    switches: FakeGatewaySwitches = FakeGatewaySwitches(),
    tls: LoopbackTLS? = nil, port: UInt16 = 0, seed: UInt64 = 1, clock: (any BookClock)? = nil,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(GatebookError) {
    state = Locked(GatewayState(switches: switches, users: users, random: SplitMix(seed: seed)))
    server = try LoopbackServer(state, port: port, tls: tls, clock: clock, wait: wait)
  }

  /// Where its login is.
  public var loginURL: String { url + Self.sampleLoginPath }

  /// What was received so far, in order, over restarts.
  public var requests: [FakeGatewayRequest] { server.requests(of: state) }

  /// How the gateway behaves; to be changed at any time.
  public var switches: FakeGatewaySwitches {
    get { state.withLock { $0.switches } }
    set { state.withLock { $0.switches = newValue } }
  }

  /// Session ids that need care: a short one, one that needs encoding in a path, one of 4 KiB and
  /// one that is not ASCII.
  public static let sampleSessionIDs = [
    "abc", "a/b+c=d e", String(repeating: "0123456789abcdef", count: 256), "größe-日本-🔑",
  ]

  /// Who can log in; to be changed at any time.
  public var users: [FakeGatewayUser] {
    get { state.withLock { $0.users } }
    set { state.withLock { $0.users = newValue } }
  }

  /// The sessions that were not ended, in the order of their beginnings.
  public var sessions: [FakeGatewaySession] {
    state.withLock { $0.sessions }
  }

  /// Gives these ids to the next sessions, in order and after those chosen before; later ones get
  /// ids made from the seed.
  public func chooseSessionIDs(_ ids: [String]) {
    state.withLock { $0.chosenIDs += ids }
  }

  /// Ends the sessions of a user, or all there are, without notifying clients.
  public func endSessions(of username: String? = nil) {
    state.withLock { $0.endSessions(of: username) }
  }

  /// Every session id and cookie that was ever given out, the chosen ones included: none of them
  /// may be found in what a client writes.
  public var secretsIssued: [String] {
    state.withLock { $0.issued }
  }
}

/// One request that a fake gateway received, and what it made of it.
public struct FakeGatewayRequest: Hashable, FakeServerVisit {
  /// The request as it came, with its cookies.
  public var request: LoopbackRequest
  /// Whose session was begun or ended; `nil` when none was.
  public var username: String?
  /// The session id in the path of a logout, decoded; `nil` for other routes.
  public var sessionID: String?
  /// Whose login gave out the `JSESSIONID` that came along, ended sessions included; `nil` when
  /// none came or nobody got it.
  public var cookieOwner: String?
  /// The status that the gateway answered; `nil` when a fault came before it acted.
  public var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
  }
}
