extension GatewayState {
  /// `POST {login path}`: begins a session for a name and a password.
  mutating func logIn(_ visit: inout FakeGatewayRequest) -> LoopbackReply {
    let request = visit.request
    if case .status(let status) = switches.login {
      return Self.page.error(status, "The gateway is in trouble, as it was told to be.")
    }
    // Inferred: another type is refused, as by any route that reads JSON alone.
    guard request.fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
      return Self.page.error(415, "The login is JSON.")
    }
    let body = PlainJSON.read(request.body)
    guard let name = body?["username"]?.string, let password = body?["password"]?.string else {
      return Self.page.error(400, "The login has a username and a password.")
    }
    guard let user = self.user(name, password) else { return refusal(switches) }
    if switches.login == .page {
      return Self.page.page("A page that nobody asked for.")
    }
    visit.username = user.username
    return admit(user)
  }

  private mutating func admit(_ user: FakeGatewayUser) -> LoopbackReply {
    let session = beginSession(of: user.username)
    var answer: PlainJSON = [:]
    if switches.tellsID { answer["id"] = .string(newUUID()) }
    if switches.login != .withoutSessionID { answer["sessionid"] = .string(session.id) }
    answer["voiceUser"] = .string(user.voiceUser)
    answer["voiceDomain"] = .string(user.voiceDomain)
    let reply = LoopbackReply.json(answer)
    // Inferred: the web application is a servlet, whose cookie is for its own context path.
    let context = loginPath.dropFirst().prefix { $0 != "/" }
    return session.cookie.map {
      reply.with("Set-Cookie", "JSESSIONID=\($0); Path=/\(context); HttpOnly")
    } ?? reply
  }

  private func refusal(_ switches: FakeGatewaySwitches) -> LoopbackReply {
    switch switches.refusalBody {
    case .html: Self.page.error(401, "The name or the password is wrong.")
    case .json: .json(#"{"error":"The name or the password is wrong."}"#, status: 401)
    case .empty: LoopbackReply(status: 401)
    }
  }

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
