internal import GatebookSystem

extension FakeMobileFirstServer {
  /// What the server protects, and how; to be changed at any time.
  public var application: FakeMobileFirstApplication {
    get { work.state.withLock { $0.application } }
    set { work.state.withLock { $0.application = newValue } }
  }

  /// How the server behaves; to be changed at any time.
  public var switches: FakeMobileFirstSwitches {
    get { work.state.withLock { $0.switches } }
    set { work.state.withLock { $0.switches = newValue } }
  }

  /// The routes that faults are put on.
  public enum Route: String, CaseIterable, Sendable {
    /// The registration of a new client.
    case registration = "registration/v1/self"
    /// What a client registered.
    case registeredClient = "registration/v1/self/*"
    /// The evaluation of checks, logins included.
    case preauthorize = "preauth/v1/preauthorize"
    /// The end of a check's state.
    case logout = "preauth/v1/logout"
    /// The sign of life.
    case heartbeat = "preauth/v1/heartbeat"
    /// Codes.
    case authorization = "az/v1/authorization"
    /// Tokens.
    case token = "az/v1/token"
    /// The resources.
    case adapters = "adapters/*"
  }

  /// Takes all faults, conflicts and invalid clients back.
  public func clearFaults() {
    server.clearFaults()
    work.state.withLock { state in
      state.conflicts = [:]
      state.invalidClients = 0
    }
  }

  /// Answers the next requests of known clients with 409 and `MFP-Conflict`; nothing else happens.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - route: `.preauthorize` or `.adapters`; no other route knows conflicts.
  public func conflictNext(_ count: Int = 1, on route: Route = .preauthorize) {
    work.state.withLock { $0.conflicts[route] = max(0, count) }
  }

  /// Tells the next preauthorizations that their client is unknown, which it is not.
  public func invalidClientNext(_ count: Int = 1) {
    work.state.withLock { $0.invalidClients = max(0, count) }
  }

  /// Closes the connection of the next requests without an answer.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - route: Where; `nil` for everywhere.
  ///   - isActing: Whether the server does first what it was asked to do.
  public func dropConnectionNext(
    _ count: Int = 1, on route: Route? = nil, afterActing isActing: Bool = false
  ) {
    inject(isActing ? .dropAfterActing : .dropBeforeActing, on: route, times: count)
  }

  /// Answers the next requests with an HTML page, as a proxy or a broken server does.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - status: The status; 200 makes it a page in place of JSON.
  ///   - route: Where; `nil` for everywhere.
  public func htmlErrorNext(_ count: Int = 1, status: Int = 500, on route: Route? = nil) {
    inject(
      .answer { _ in
        MobileFirstState.page.error(status, "The server is in trouble, as it was told.")
      },
      on: route, times: count)
  }

  /// Forgets all clients with their codes and tokens, without notifying the clients.
  public func forgetClients() {
    work.state.withLock { state in
      for id in state.clients.keys { state.forget(id) }
    }
  }

  /// Ends all access and refresh tokens without notifying clients; checks stay as they are.
  public func revokeTokens() {
    work.state.withLock { state in
      state.tokens = [:]
      state.refreshTokens = [:]
    }
  }
}

extension FakeMobileFirstServer.Route: FakeServerRoute {
  var methods: [String] {
    switch self {
    case .registration, .preauthorize, .logout, .heartbeat, .token: ["POST"]
    case .registeredClient: ["GET", "PUT"]
    case .authorization: ["GET"]
    case .adapters: ["GET", "POST"]
    }
  }
}
