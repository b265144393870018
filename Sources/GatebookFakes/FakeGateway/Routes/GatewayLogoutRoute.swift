/// `DELETE {login path}/id/{id}`: ends a session.
struct GatewayLogoutRoute {
  private let request: LoopbackRequest
  private let sessionID: String?

  init(_ request: LoopbackRequest, _ sessionID: String?) {
    self.request = request
    self.sessionID = sessionID
  }

  /// Answers one logout and tells whose session it ended.
  func answer(_ state: inout GatewayState, _ username: inout String?) -> LoopbackReply {
    guard request.method == "DELETE" else { return GatewayPage.wrongMethod(allowed: "DELETE") }
    guard let sessionID else { return GatewayPage.error(404, "An id is one segment.") }
    let session = state.session(sessionID)
    if case .status(let status) = state.switches.logout, !(200...299).contains(status) {
      return GatewayPage.error(status, "The gateway does not log out, as it was told.")
    }
    // Inferred: an unknown id is not found.
    guard let session else { return GatewayPage.error(404, "There is no such session.") }
    if state.switches.demandsCookie {
      guard let cookie = session.cookie, request.cookie("JSESSIONID") == cookie else {
        return GatewayPage.error(401, "The cookie of this session's login is missing.")
      }
    }
    state.endSession(session.id)
    username = session.username
    guard case .status(let status) = state.switches.logout else { return LoopbackReply() }
    return LoopbackReply(status: status)
  }
}
