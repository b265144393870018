public import Gatebook
internal import GatebookSystem

/// A fake MobileFirst 8.0 server: a real HTTP server on 127.0.0.1 that registers clients, evaluates
/// security checks and grants tokens as version 1 of the protocol does, for tests and
/// demonstrations.
///
/// It says that it is a fake in its `Server` field and on every page. It reads HTTP, forms and
/// signed objects with a reader of its own; JSON is read by Foundation, and the RSA arithmetic is
/// libcrypto's. Times are the wall clock's, cut to milliseconds.
///
/// ```swift
/// let clock = FixedClock()
/// let server = try FakeMobileFirstServer.sample(clock: clock)
/// try server.start()
/// // … log in to server.apiURL with the check UserLogin, name john, password john …
/// clock.advance(by: .seconds(60))  // the success is over now
/// #expect(server.requests.last?.status == 200)
/// ```
///
/// | Route below `/mfp/api/` | What it does |
/// |---|---|
/// | `POST registration/v1/self` | registers a key: 201, `Location`; 400 `INVALID_REQUEST` (inferred) |
/// | `PUT registration/v1/self/{id}` | changes what was registered |
/// | `POST preauth/v1/preauthorize` | evaluates the checks of a scope: 200, 401, 403 |
/// | `POST preauth/v1/logout` | ends what one check knows |
/// | `GET az/v1/authorization` | 302 with a code, or `error=access_denied` (inferred) |
/// | `POST az/v1/token` | 200 with a token; 400 `invalid_grant`, 401 `invalid_client` (inferred) |
/// | `adapters/ResourceAdapter/balance` | wants `accessRestricted`, which is `UserLogin` |
/// | `adapters/ResourceAdapter/transfer` | wants `transferPrivilege`, a scope with a step-up |
/// | `adapters/ResourceAdapter/publicData` | wants no token |
///
/// Ids are counted: `client-1`, `code-1`, `token-1`. "(inferred)" marks what no public
/// document of the original confirms. A stopped server refuses connections, and starts again with
/// all it knew.
///
/// Its life, its log and its faults are those of every ``FakeServer``.
///
/// ## Topics
/// ### Life
/// - ``sample(port:clock:)``
/// - ``apiURL``
/// ### Behaviour
/// - ``application``
/// - ``switches``
/// - ``LoopbackFault/conflict``
/// - ``LoopbackFault/unknownClient``
/// - ``forgetClients()``
/// - ``revokeTokens()``
/// ### What it gave
/// - ``clientIDs``
/// - ``secretsIssued``
public final class FakeMobileFirstServer: FakeServer {
  /// The HTTP server that it runs on.
  public let server: LoopbackServer
  private let state: Locked<MobileFirstState>

  /// Makes a server that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - application: What it protects, and how.
  ///   - switches: How it behaves.
  ///   - tls: How it speaks TLS; plain HTTP unless given.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - clock: Decides all times; the machine's own clock unless given.
  ///   - wait: What a delay does; nothing unless given.
  /// - Throws: `configuration.invalid` when the port is taken.
  public init(
    application: FakeMobileFirstApplication = .sample,
    switches: FakeMobileFirstSwitches = FakeMobileFirstSwitches(), tls: LoopbackTLS? = nil,
    port: UInt16 = 0, clock: (any BookClock)? = nil,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(GatebookError) {
    state = Locked(MobileFirstState(application: application, switches: switches))
    server = try LoopbackServer(state, port: port, tls: tls, clock: clock, wait: wait)
  }

  /// Makes a server with the sample configuration: `UserLogin`, `PinCode`, and `StepUpUserLogin`
  /// with `StepUpPinCode`.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - clock: Decides all times; the machine's own clock unless given.
  /// - Returns: The server, which is down.
  /// - Throws: `configuration.invalid` when the port is taken.
  public static func sample(
    port: UInt16 = 0, clock: (any BookClock)? = nil
  ) throws(GatebookError) -> FakeMobileFirstServer {
    try FakeMobileFirstServer(application: .sample, port: port, clock: clock)
  }

  /// The base of all routes, such as `http://127.0.0.1:port/mfp/api`.
  public var apiURL: String { "\(url)/mfp/api" }

  /// What was received so far, in order, over restarts.
  public var requests: [FakeMobileFirstRequest] { server.requests(of: state) }

  /// The ids of the clients that are registered, in order.
  public var clientIDs: [String] {
    state.withLock { state in
      state.clients.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
  }

  /// Every code and access token that was ever given out: none of them may be found
  /// in what a client writes in the clear.
  public var secretsIssued: [String] {
    state.withLock { $0.issued }
  }

  /// What the server protects, and how; to be changed at any time.
  public var application: FakeMobileFirstApplication {
    get { state.withLock { $0.application } }
    set { state.withLock { $0.application = newValue } }
  }

  /// How the server behaves; to be changed at any time.
  public var switches: FakeMobileFirstSwitches {
    get { state.withLock { $0.switches } }
    set { state.withLock { $0.switches = newValue } }
  }

  /// The routes that faults are put on.
  public enum Route: String, CaseIterable, Sendable {
    /// The registration of a new client.
    case registration = "/mfp/api/registration/v1/self"
    /// What a client registered.
    case registeredClient = "/mfp/api/registration/v1/self/*"
    /// The evaluation of checks, logins included.
    case preauthorize = "/mfp/api/preauth/v1/preauthorize"
    /// The end of a check's state.
    case logout = "/mfp/api/preauth/v1/logout"
    /// Codes.
    case authorization = "/mfp/api/az/v1/authorization"
    /// Tokens.
    case token = "/mfp/api/az/v1/token"
    /// The resources.
    case adapters = "/mfp/api/adapters/*"
  }

  /// Forgets all clients with their codes and tokens, without notifying the clients.
  public func forgetClients() {
    state.withLock { state in
      for id in state.clients.keys { state.forget(id) }
    }
  }

  /// Ends all access tokens without notifying clients; checks stay as they are.
  public func revokeTokens() {
    state.withLock { $0.tokens = [:] }
  }
}

/// One request that a fake MobileFirst server received, and what it made of it.
public struct FakeMobileFirstRequest: Hashable, FakeServerVisit {
  /// The request as it came.
  public var request: LoopbackRequest
  /// The registered client that it named or proved to be; `nil` for none.
  public var clientID: String?
  /// The status that the server answered; `nil` when a fault came before it acted.
  public var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
  }
}

extension LoopbackFault {
  /// 409 with `MFP-Conflict`, for preauthorizations and resources; nothing else happens.
  public static let conflict = LoopbackFault.answer { _ in
    .json("{}", status: 409, fields: ["MFP-Conflict": "Concurrent access failure"])
  }

  /// Tells a preauthorization that its client is unknown, which it is not.
  public static let unknownClient = LoopbackFault.answer { _ in MobileFirstReply.unknownClient }
}

/// How a fake MobileFirst server behaves, right or wrong; every switch may be changed while it
/// runs.
///
/// What happens to the next requests only is a ``LoopbackFault`` instead.
public struct FakeMobileFirstSwitches: Hashable, Sendable {
  /// How fast the server's clock is, in milliseconds; negative if it is slow.
  ///
  /// It moves `serverTimeStamp`, `authenticatedAt`, `Date` and the time that assertions are judged
  /// by; states, codes and tokens keep their lengths.
  public var clockSkewMs: Int64 = 0
  /// Whether `successes` come without `clockSynchronization`.
  public var omitClock = false
  /// The status of a preauthorize with failures; 222 is what hybrid clients are shown.
  public var failureStatus = 403

  /// Makes the switches of a server that behaves well.
  public init() {}
}
