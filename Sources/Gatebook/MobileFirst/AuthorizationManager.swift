/// The authorization of one account at a MobileFirst server: security checks, their challenges and
/// the tokens that open protected resources.
///
/// ```swift
/// let manager = try await book.authorizationManager(for: app)
/// await manager.register(LoginForm(), for: "UserLogin")
/// let john = try await manager.authenticate(
///   ChallengeAnswer(username: "john", password: password), check: "UserLogin")
/// let reply = try await manager.send(.get(balance))
/// ```
///
/// It begins without an account or with a known one. When a check succeeds that names a user, the
/// account is found or created, and the manager then belongs to it. Each account has its own client
/// registration and key pair, which survive its logouts. A client whose checks name no user, such
/// as a PIN code, works too: its tokens are valid as long as the manager exists. A registration
/// without an account and without any answer is kept encrypted for 30 days, for the next manager
/// without an account; two managers never share one. After an answer the server knows the client by
/// it, so the registration then ends with the manager.
///
/// Flows of one account run one after the other. Simultaneous calls for equal scopes share one
/// flow. Tokens are kept encrypted and are returned without the network while they are valid, also
/// after a restart. In each flow the handlers are called first, then the call returns; both have
/// the flow's id.
///
/// Source: MobileFirst 8.0, `WLAuthorizationManager`, protocol version 1.
///
/// ## Topics
///
/// ### One call that does what fits
/// - ``authenticate(_:check:)``
///
/// ### The low-level pair
/// - ``login(_:credentials:)``
/// - ``register(_:for:)``
/// - ``submitChallengeAnswer(_:to:)``
/// - ``cancel(_:)``
/// - ``giveUp(_:because:)``
/// - ``openChallenges``
/// - ``isChallenged(_:)``
///
/// ### Tokens and resources
/// - ``obtainAccessToken(forScope:)``
/// - ``clearAccessToken(_:)``
/// - ``send(_:scope:)``
/// - ``isAuthorizationRequired(_:)``
/// - ``resourceScope(fromResponse:)``
///
/// ### The end
/// - ``logout(_:)``
///
/// ### Settings
/// - ``setLoginTimeout(_:)``
/// - ``setAuthorizationServerURL(_:)``
public actor AuthorizationManager {
  /// Where everything is recorded, and whose transport is used.
  let book: any AuthorizationHost
  /// How logins are made and kept; its trust is what was given beyond what the account keeps.
  var options: LoginOptions
  /// Names the connections that are used without an account; managers never share them.
  let guestPool: String
  /// The book's last event when the options were given.
  let since: Position
  /// Makes key pairs; tests bring one that is made already.
  let makeKey: @Sendable () -> RSAKey

  /// The app's settings.
  public internal(set) var app: MobileFirstApp
  /// The account; `nil` while no check has named a user.
  public internal(set) var account: AccountID?
  /// The users whom checks authenticated in this run, by check; a logout clears them.
  public internal(set) var users: [String: AuthenticatedUser] = [:]

  /// Handlers by the exact names of their checks.
  var handlers: [String: any ChallengeHandler] = [:]
  /// How many handlers were registered under a name so far.
  var registrations: [String: Int64] = [:]
  /// What there is without a session.
  var guest = AuthorizationGuest()
  /// The scopes that resources have asked for, by method and URL.
  var resourceScopes: [String: String]

  /// Where the running flow has got to; `nil` while none is authorizing.
  var place: FlowContext?

  var flows: [FlowID: AuthorizationFlow] = [:]
  var queue: [FlowID] = []
  var running: FlowID?
  private var lastPromise = 0

  /// How many flows wait after the one that is running.
  package var waitingFlows: Int { queue.count }
  /// How many flows have not ended.
  package var openFlows: Int { flows.count }

  init(
    book: any AuthorizationHost, app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    since: Position, makeKey: @escaping @Sendable () -> RSAKey,
    resourceScopes: [String: String] = [:]
  ) {
    self.book = book
    self.app = app
    self.account = account
    self.options = options
    guestPool = "guest-" + Hex.encode(book.effects.random.bytes(16))
    self.since = since
    self.makeKey = makeKey
    self.resourceScopes = resourceScopes
  }

  deinit {
    guard guest.kept != nil else { return }
    let book = book
    // Others get at once what it held; what it has used goes with it.
    Task { await book.purgeAbandonedRegistrations() }
  }

  /// Registers the handler of a check; a second one under the same name replaces the first.
  ///
  /// `challenge.received` says which one was called.
  ///
  /// - Parameters:
  ///   - handler: Answers the check's challenges.
  ///   - check: The check's exact name.
  /// - Returns: The handler that was there before.
  @discardableResult
  public func register(
    _ handler: any ChallengeHandler, for check: String
  ) -> (any ChallengeHandler)? {
    registrations[check, default: 0] += 1
    return handlers.updateValue(handler, forKey: check)
  }

  /// Limits the total time of the requests of each later flow (default: 10 s).
  ///
  /// The time that a user needs to answer does not count.
  public func setLoginTimeout(_ timeout: Duration) {
    app.loginTimeout = timeout
  }

  /// Sets another server for codes and tokens: only `/az/v1/` is sent there; `nil` means the server
  /// itself.
  ///
  /// - Throws: `login.cleartext` for a server without TLS that is not allowed.
  public func setAuthorizationServerURL(_ url: HTTPURL?) throws(GatebookError) {
    if let url { try Logins.checkCleartext([url.origin], options) }
    app.authorizationServer = url
  }

  /// Whether a resource's answer demands a token, or a repeated request.
  ///
  /// - Parameter reply: The answer of a protected resource.
  /// - Returns: `true` for 409 with `MFP-Conflict` and for 401 or 403 with a Bearer challenge; a
  ///   401 with `MFP-Challenge` is neither.
  public static func isAuthorizationRequired(_ reply: HTTPReply) -> Bool {
    reply.isAuthorizationRequired
  }

  /// The scope that a resource's Bearer challenge names; `nil` when it names none.
  public static func resourceScope(fromResponse reply: HTTPReply) -> String? {
    reply.resourceScope
  }

  /// Waits for a flow's end, or for the outcome of one check in it.
  ///
  /// A cancelled caller leaves; the flow continues for the others, and an open challenge stays
  /// answerable.
  func wait(_ end: AsyncStream<FlowPromise.End>) async throws(GatebookError) -> Authorization {
    for await result in end { return try result.get() }
    throw GatebookError.cancelledByCaller
  }

  /// Enters a caller into a flow.
  func promise(
    in flow: FlowID, check: String? = nil
  ) -> (end: AsyncStream<FlowPromise.End>, number: Int) {
    lastPromise += 1
    let (end, caller) = AsyncStream.makeStream(of: FlowPromise.End.self)
    flows[flow]?.promises[lastPromise] = FlowPromise(check: check, caller: caller)
    return (end, lastPromise)
  }
}
