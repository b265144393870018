internal import GatebookThreads

extension FakeGateway {
  /// How the gateway behaves; to be changed at any time.
  public var switches: FakeGatewaySwitches {
    get { work.state.withLock { $0.switches } }
    set { work.state.withLock { $0.switches = newValue } }
  }

  /// The routes that faults are put on.
  public enum Route: CaseIterable, Sendable {
    /// The login.
    case login
    /// The end of a session.
    case logout
    /// The gateway's own sessions, which no client asks for.
    case session
    /// The web socket's stand-in.
    case webSocket
  }

  /// Lets something go wrong with coming requests, after the faults that are still to come.
  ///
  /// A request meets only the first fault that fits its route and has not run out.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - route: Where; `nil` for everywhere.
  ///   - times: How often; `nil` for always.
  public func inject(_ fault: LoopbackFault, on route: Route? = nil, times: Int? = 1) {
    server.inject(fault, on: route.map { work.pattern(of: $0) }, times: times)
  }

  /// Takes all faults back.
  public func clearFaults() {
    server.clearFaults()
  }
}
