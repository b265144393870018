extension GatewayState {
  /// `DELETE {login path}/id/{id}`: ends a session.
  mutating func logOut(_ visit: inout FakeGatewayRequest) -> LoopbackReply {
    let request = visit.request
    guard let sessionID = self.sessionID(of: request) else {
      return Self.page.error(404, "An id is one segment.")
    }
    let session = self.session(sessionID)
    if case .status(let status) = switches.logout, !(200...299).contains(status) {
      return Self.page.error(status, "The gateway does not log out, as it was told.")
    }
    // Inferred: an unknown id is not found.
    guard let session else { return Self.page.error(404, "There is no such session.") }
    if switches.demandsCookie {
      guard let cookie = session.cookie, request.cookie("JSESSIONID") == cookie else {
        return Self.page.error(401, "The cookie of this session's login is missing.")
      }
    }
    endSession(session.id)
    visit.username = session.username
    guard case .status(let status) = switches.logout else { return LoopbackReply() }
    return LoopbackReply(status: status)
  }

  /// `POST /gateway/sessions/session`: what a web application asks the gateway, and a client never.
  mutating func beginSession(_ request: LoopbackRequest) -> LoopbackReply {
    let body = PlainJSON.read(request.body)
    guard body?["voice"] != nil || body?["aed"] != nil else {
      return Self.page.error(400, "A session is for voice or for aed.")
    }
    let session = beginSession(of: nil)
    return .json(["sessionid": .string(session.id)])
  }
}
