public import Gatebook
internal import GatebookThreads

/// A fake MobileFirst 8.0 server: a real HTTP server on 127.0.0.1 that registers clients, evaluates
/// security checks and grants tokens as version 1 of the protocol does, for tests and
/// demonstrations.
///
/// It says that it is a fake in its `Server` field and on every page. It reads HTTP, JSON, forms
/// and signed objects with a reader of its own; only the RSA arithmetic is libcrypto's. Times are
/// the wall clock's, cut to milliseconds.
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
/// ## Topics
/// ### Life
/// - ``sample(port:clock:)``
/// - ``start()``
/// - ``stop()``
/// - ``apiURL``
/// ### Behaviour
/// - ``application``
/// - ``switches``
/// - ``conflictNext(_:on:)``
/// - ``invalidClientNext(_:)``
/// - ``dropConnectionNext(_:on:afterActing:)``
/// - ``htmlErrorNext(_:status:on:)``
/// - ``inject(_:on:times:)``
/// - ``forgetClients()``
/// - ``revokeTokens()``
/// ### What it received
/// - ``requests``
/// - ``requests(to:)``
/// - ``requests(atLeast:)``
public final class FakeMobileFirstServer: Sendable {
  let server: LoopbackServer
  let work: MobileFirstWork

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
    let clock = clock ?? SystemClock()
    let state = MobileFirstState(application: application, switches: switches)
    var serverState = ServerState()
    serverState.tls = try LoopbackServer.context(tls)
    let work = MobileFirstWork(
      state: Guarded(state), server: Guarded(serverState), clock: clock)
    self.work = work
    server = try LoopbackServer(
      port: port,
      work: ServerWork(
        state: work.server, clock: clock, limits: LoopbackLimits(), wait: wait,
        finish: { work.stamped($0) }, handler: { work.answer($0) }))
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

  /// Where the server is: `http://127.0.0.1:port`, without a slash at the end.
  public var url: String { server.url }

  /// The base of all routes, such as `http://127.0.0.1:port/mfp/api`.
  public var apiURL: String { "\(url)/\(application.context)/api" }

  /// The port, known before the first `start`.
  public var port: UInt16 { server.port }

  /// Begins to answer; nothing happens when it already does.
  ///
  /// - Throws: `configuration.invalid` when the port cannot be had, `limit.exceeded` without a thread
  ///   left.
  public func start() throws(GatebookError) {
    try server.start()
  }

  /// Refuses connections from now on; clients, states and tokens stay.
  public func stop() {
    server.stop()
  }
}
