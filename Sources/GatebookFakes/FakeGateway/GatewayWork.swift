internal import GatebookThreads

/// What answers a fake gateway's requests; it knows the server's log and faults, not the server.
struct GatewayWork: Sendable {
  let state: Guarded<GatewayState>
  let server: Guarded<ServerState>
  let loginPath: String

  /// Answers one request.
  func answer(_ request: LoopbackRequest) -> LoopbackReply {
    state.withLock { state in
      var username: String?
      let reply =
        switch route(of: request.path) {
        case .login: GatewayLoginRoute(request, loginPath).answer(&state, &username)
        case .logout:
          GatewayLogoutRoute(request, sessionID(of: request)).answer(&state, &username)
        case .session: GatewaySessionRoute(request).answer(&state)
        case .webSocket: GatewayWebSocketRoute(request).answer(state.switches.webSocket)
        case nil: GatewayPage.error(404, "There is nothing here.")
        }
      state.visits[request.number] = GatewayState.Visit(username: username, status: reply.status)
      return reply
    }
  }

  /// The route of a path, still encoded; `nil` for none.
  func route(of path: String) -> FakeGateway.Route? {
    switch path {
    case loginPath: .login
    case "/gateway/sessions/session": .session
    // Inferred: no public documentation names the path of the web socket.
    case "/gateway/websocketcall": .webSocket
    default: path.hasPrefix("\(loginPath)/id/") ? .logout : nil
    }
  }

  /// What a fault on a route is put on.
  func pattern(of route: FakeGateway.Route) -> String {
    switch route {
    case .login: loginPath
    case .logout: "\(loginPath)/id/*"
    case .session: "/gateway/sessions/session"
    case .webSocket: "/gateway/websocketcall"
    }
  }

  /// The request log with what was made of each.
  var requests: [FakeGatewayRequest] {
    let requests = server.withLock { $0.requests }
    return state.withLock { state in
      requests.map { request in
        let visit = state.visits[request.number]
        return FakeGatewayRequest(
          request: request, username: visit?.username, sessionID: sessionID(of: request),
          cookieOwner: request.cookie("JSESSIONID").flatMap { state.cookieOwners[$0] },
          status: visit?.status)
      }
    }
  }

  /// Ends the sessions of a user, or all there are.
  func endSessions(of username: String?) {
    state.withLock { state in
      state.sessions.removeAll { username == nil || $0.username == username }
    }
  }

  /// The decoded id in the path of a logout; `nil` when there is none, or more than one segment.
  private func sessionID(of request: LoopbackRequest) -> String? {
    guard route(of: request.path) == .logout else { return nil }
    let segment = request.path.dropFirst("\(loginPath)/id/".count)
    guard !segment.isEmpty, !segment.utf8.contains(UInt8(ascii: "/")) else { return nil }
    // RFC 3986 section 2.1: in a path a plus is a plus.
    return PercentText.decode(segment, plusIsBlank: false)
  }
}
