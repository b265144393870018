/// `POST {login path}`: begins a session for a name and a password.
struct GatewayLoginRoute {
  private let request: LoopbackRequest
  private let loginPath: String

  init(_ request: LoopbackRequest, _ loginPath: String) {
    self.request = request
    self.loginPath = loginPath
  }

  /// Answers one login and tells whose it was.
  func answer(_ state: inout GatewayState, _ username: inout String?) -> LoopbackReply {
    guard request.method == "POST" else { return GatewayPage.wrongMethod(allowed: "POST") }
    if case .status(let status) = state.switches.login {
      return GatewayPage.error(status, "The gateway is in trouble, as it was told to be.")
    }
    // Inferred: another type is refused, as by any route that reads JSON alone.
    guard request.fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
      return GatewayPage.error(415, "The login is JSON.")
    }
    let body = PlainJSONReader.read(request.body)
    guard let name = body?["username"]?.string, let password = body?["password"]?.string else {
      return GatewayPage.error(400, "The login has a username and a password.")
    }
    guard let user = state.user(name, password) else { return refusal(state.switches) }
    if state.switches.login == .page { return GatewayPage.page("A page that nobody asked for.") }
    username = user.username
    return admit(user, &state)
  }

  private func admit(_ user: FakeGatewayUser, _ state: inout GatewayState) -> LoopbackReply {
    let session = state.beginSession(of: user.username)
    var members: [PlainJSON.Member] = []
    if state.switches.tellsID {
      members.append(PlainJSON.Member(name: "id", value: .string(state.newUUID())))
    }
    if state.switches.login != .withoutSessionID {
      members.append(PlainJSON.Member(name: "sessionid", value: .string(session.id)))
    }
    members.append(PlainJSON.Member(name: "voiceUser", value: .string(user.voiceUser)))
    members.append(PlainJSON.Member(name: "voiceDomain", value: .string(user.voiceDomain)))
    let reply = LoopbackReply.json(PlainJSON.object(members).text)
    // Inferred: the web application is a servlet, whose cookie is for its own context path.
    let context = loginPath.dropFirst().prefix { $0 != "/" }
    return session.cookie.map {
      reply.with("Set-Cookie", "JSESSIONID=\($0); Path=/\(context); HttpOnly")
    } ?? reply
  }

  private func refusal(_ switches: FakeGatewaySwitches) -> LoopbackReply {
    switch switches.refusalBody {
    case .html: GatewayPage.error(401, "The name or the password is wrong.")
    case .json: .json(#"{"error":"The name or the password is wrong."}"#, status: 401)
    case .empty: LoopbackReply(status: 401)
    }
  }
}
