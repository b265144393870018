internal import Gatebook
internal import GatebookThreads

/// What answers a fake MobileFirst server's requests; it knows the log and the faults, not the
/// server.
struct MobileFirstWork: Sendable {
  let state: Guarded<MobileFirstState>
  let server: Guarded<ServerState>
  let clock: any BookClock

  /// Answers one request.
  func answer(_ request: LoopbackRequest) -> LoopbackReply {
    let wall = clock.now().wall
    return state.withLock { state in
      state.now = wall.inMilliseconds
      let base = "/\(state.application.context)/api/"
      guard request.path.hasPrefix(base) else {
        return MobileFirstReply.page(404, "There is nothing here.")
      }
      var visit = MobileFirstVisit(request, path: String(request.path.dropFirst(base.count)))
      let reply = Self.route(&visit, &state)
      visit.status = reply.status
      state.visits[request.number] = visit
      return reply
    }
  }

  /// Gives an answer the server's name and time.
  func stamped(_ reply: LoopbackReply) -> LoopbackReply {
    let skew = state.withLock { $0.switches.clockSkewMs }
    var reply = reply
    reply.fields.appendMissing("Server", MobileFirstReply.name)
    reply.fields.appendMissing("Date", DateField.text(clock.now().wall + .milliseconds(skew)))
    return reply
  }

  /// The request log with what was made of each.
  var requests: [FakeMobileFirstRequest] {
    let requests = server.withLock { $0.requests }
    let visits = state.withLock { $0.visits }
    return requests.map { request in
      let visit = visits[request.number]
      return FakeMobileFirstRequest(
        request: request, clientID: visit?.clientID, status: visit?.status)
    }
  }

  private static func route(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    switch visit.path {
    case "registration/v1/self": RegistrationRoute.answer(&visit, &state)
    case _ where visit.path.hasPrefix("registration/v1/self/"):
      RegisteredClientRoute.answer(&visit, &state)
    case "preauth/v1/preauthorize": PreauthorizeRoute.answer(&visit, &state)
    case "preauth/v1/logout": CheckLogoutRoute.answer(&visit, &state)
    case "preauth/v1/heartbeat": HeartbeatRoute.answer(&visit, &state)
    case "az/v1/authorization": AuthorizationRoute.answer(&visit, &state)
    case "az/v1/token": MobileFirstTokenRoute.answer(&visit, &state)
    case _ where visit.path.hasPrefix("adapters/"): AdapterRoute.answer(&visit, &state)
    default: MobileFirstReply.page(404, "There is nothing here.")
    }
  }
}
