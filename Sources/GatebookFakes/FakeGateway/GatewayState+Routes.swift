extension GatewayState {
  mutating func answer(
    _ visit: inout FakeGatewayRequest, on route: FakeGateway.Route
  ) -> LoopbackReply {
    switch route {
    case .login: logIn(&visit)
    case .logout: logOut(&visit)
    case .session: beginSession(visit.request)
    case .webSocket: GatewayWebSocketRoute.answer(visit.request, switches.webSocket)
    }
  }

  mutating func stop() {
    endSessions(of: nil)
  }

  func told(_ visit: FakeGatewayRequest) -> FakeGatewayRequest {
    var visit = visit
    visit.sessionID = sessionID(of: visit.request)
    visit.cookieOwner = visit.request.cookie("JSESSIONID").flatMap { cookieOwners[$0] }
    return visit
  }

  /// The path of a route; one that ends in `/*` stands for all below it.
  static func path(of route: FakeGateway.Route, _ loginPath: String) -> String {
    switch route {
    case .login: loginPath
    case .logout: "\(loginPath)/id/*"
    case .session: "/gateway/sessions/session"
    // Inferred: no public documentation names the path of the web socket.
    case .webSocket: "/gateway/websocketcall"
    }
  }

  /// The decoded id in the path of a logout; `nil` when there is none, or more than one segment.
  func sessionID(of request: LoopbackRequest) -> String? {
    guard route(of: request.path) == .logout else { return nil }
    let segment = request.path.dropFirst("\(loginPath)/id/".count)
    guard !segment.isEmpty, !segment.utf8.contains(UInt8(ascii: "/")) else { return nil }
    // RFC 3986 section 2.1: in a path a plus is a plus.
    return PercentText.decode(segment, plusIsBlank: false)
  }

  func route(of path: String) -> FakeGateway.Route? {
    FakeGateway.Route.allCases.first { FaultSchedule.fits(Self.path(of: $0, loginPath), path) }
  }
}

extension FakeGateway.Route: FakeServerRoute {
  var methods: [String] {
    switch self {
    case .login, .session: ["POST"]
    case .logout: ["DELETE"]
    case .webSocket: ["GET"]
    }
  }
}
