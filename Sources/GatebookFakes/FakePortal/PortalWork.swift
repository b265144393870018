internal import Gatebook
internal import GatebookThreads

/// What answers a fake portal's requests; it knows the server's log and faults, not the server.
struct PortalWork: Sendable {
  static let adminPrefix = "/admin/"

  let state: Guarded<PortalState>
  let server: Guarded<ServerState>
  let clock: any BookClock

  /// Answers one request.
  func answer(_ request: LoopbackRequest) -> LoopbackReply {
    guard !request.path.hasPrefix(Self.adminPrefix) else {
      return AdminRoute(work: self, request: request).answer()
    }
    var visit = PortalVisit(request)
    let isSecure = server.withLock { $0.tls != nil }
    return state.withLock { state in
      state.scheme = isSecure ? "https" : "http"
      state.now = clock.now()
      state.now.wall = state.now.wall + state.advance
      state.now.boot += state.advance
      let reply = Self.route(&visit, &state)
      visit.status = reply.status
      state.visits[request.number] = visit
      return reply
    }
  }

  /// Gives an answer the portal's name and time.
  func stamped(_ reply: LoopbackReply) -> LoopbackReply {
    let moment = state.withLock { clock.now().wall + $0.advance + $0.switches.clockSkew }
    var reply = reply
    reply.fields.appendMissing("Server", PortalPage.name)
    reply.fields.appendMissing("Date", DateField.text(moment))
    return reply
  }

  private static func route(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply {
    guard let front = state.switches.front else { return pass(&visit, &state) }
    switch FrontVerdict.of(visit.request, front, &state) {
    case .refused(let reply): return reply
    case .admitted(let field):
      // The front's own credentials go no further.
      visit.dropAuthorization()
      let reply = pass(&visit, &state)
      return field.map { reply.with($0.name, $0.value) } ?? reply
    }
  }

  private static func pass(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply {
    let path = visit.request.path
    switch path {
    case "/", "/c", "/web/guest": return PageRoute.answer(&visit, &state)
    case "/c/portal/login": return LoginRoute.answer(&visit, &state)
    case "/c/portal/logout": return LogoutRoute.answer(&visit, &state)
    case "/api/jsonws/invoke": return InvokeRoute.answer(&visit, &state)
    case "/o/oauth2/authorize": return AuthorizeRoute.answer(&visit, &state)
    case "/o/oauth2/token": return TokenRoute.answer(&visit, &state)
    case "/o/oauth2/revoke": return RevokeRoute.answer(&visit, &state)
    case "/c/portal/oauth/request_token": return RequestTokenRoute.answer(&visit, &state)
    case "/c/portal/oauth/authorize": return ConsumerAuthorizeRoute.answer(&visit, &state)
    case "/c/portal/oauth/access_token": return AccessTokenRoute.answer(&visit, &state)
    case _ where path.hasPrefix("/documents/"): return DocumentRoute.answer(&visit, &state)
    default: return PortalPage.error(404, "There is nothing here.")
    }
  }
}
