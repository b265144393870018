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
/// | `PUT`, `GET registration/v1/self/{id}` | changes or tells what was registered |
/// | `POST preauth/v1/preauthorize` | evaluates the checks of a scope: 200, 401, 403 |
/// | `POST preauth/v1/logout` | ends what one check knows |
/// | `POST preauth/v1/heartbeat` | keeps checks from ending for inactivity (inferred) |
/// | `GET az/v1/authorization` | 302 with a code, or `error=access_denied` (inferred) |
/// | `POST az/v1/token` | 200 with a token; 400 `invalid_grant`, 401 `invalid_client` (inferred) |
/// | `adapters/ResourceAdapter/balance` | wants `accessRestricted`, which is `UserLogin` |
/// | `adapters/ResourceAdapter/transfer` | wants `transferPrivilege`, a scope with a step-up |
/// | `adapters/ResourceAdapter/publicData` | wants no token |
///
/// Ids are counted: `client-1`, `code-1`, `token-1`, `refresh-1`. "(inferred)" marks what no public
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
/// - ``conflictNext(_:on:)``
/// - ``invalidClientNext(_:)``
/// - ``dropConnectionNext(_:on:afterActing:)``
/// - ``htmlErrorNext(_:status:on:)``
/// - ``forgetClients()``
/// - ``revokeTokens()``
/// ### What it gave
/// - ``clientIDs``
/// - ``secretsIssued``
public final class FakeMobileFirstServer: FakeServer {
  /// The HTTP server that it runs on.
  public let server: LoopbackServer
  let work: FakeServerWork<MobileFirstState>

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
    (server, work) = try FakeServerWork.make(
      MobileFirstState(application: application, switches: switches), port: port, tls: tls,
      clock: clock, wait: wait)
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
  public var apiURL: String { "\(url)/\(application.context)/api" }

  /// What was received so far, in order, over restarts.
  public var requests: [FakeMobileFirstRequest] { work.requests }

  /// The path of a route, without a query; one that ends in `/*` stands for all below it.
  public func path(of route: Route) -> String {
    "/\(application.context)/api/\(route.rawValue)"
  }

  /// The ids of the clients that are registered, in order.
  public var clientIDs: [String] {
    work.state.withLock { state in
      state.clients.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
  }

  /// Every code, access token and refresh token that was ever given out: none of them may be found
  /// in what a client writes in the clear.
  public var secretsIssued: [String] {
    work.state.withLock { $0.issued }
  }
}
