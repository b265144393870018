extension PortalState {
  /// `POST /api/jsonws/invoke`: the calls.
  mutating func invoke(_ visit: inout FakePortalRequest) -> LoopbackReply {
    let request = visit.request
    guard request.isJSON else {
      return Self.page.error(415, "Calls are made in JSON.")
    }
    if let refusal = identify(&visit) { return refusal }
    do {
      return .json(try results(of: request.body, visit))
    } catch {
      return error.reply(as: switches.version)
    }
  }

  /// Finds out who calls: an `Authorization` that is understood wins over the session's cookie.
  private mutating func identify(_ visit: inout FakePortalRequest) -> LoopbackReply? {
    if let token = visit.request.authorization("bearer") {
      return identify(&visit, byToken: token)
    }
    if let (name, password) = visit.request.basicCredentials {
      // Whose password is wrong counts as a guest.
      visit.recognise(
        authenticate(name, password, by: switches.loginName)?.userID, by: .basic)
      return nil
    }
    if OAuth1Parameters.areIn(visit.request) { return identifySigner(&visit) }
    guard let session = self.session(of: visit.request) else { return nil }
    visit.recognise(session.userID, by: .session)
    guard let userID = session.userID, !carriesToken(visit.request, of: session) else {
      return nil
    }
    guard switches.version != .v62 else {
      return Self.page.error(403, "You do not have permission to do that.")
    }
    return PortalException.tokenMissing(of: userID).reply(as: switches.version)
  }

  /// An unknown token counts as a guest's or gets 401 (RFC 6750 section 3); which of them a portal
  /// does is inferred.
  private mutating func identify(
    _ visit: inout FakePortalRequest, byToken token: Substring
  ) -> LoopbackReply? {
    if let token = self.token(access: token) {
      visit.recognise(token)
      return nil
    }
    guard !switches.takesBadBearerForGuest else { return nil }
    return Self.page.error(401, "The token is not known.")
      .with("WWW-Authenticate", "Bearer realm=\"PortalRealm\", error=\"invalid_token\"")
  }

  private mutating func identifySigner(_ visit: inout FakePortalRequest) -> LoopbackReply? {
    do {
      visit.recognise(try signer(of: visit.request).userID, by: .oauth1)
      return nil
    } catch {
      return error.reply(switches)
    }
  }

  private func results(
    of body: [UInt8], _ visit: FakePortalRequest
  ) throws(PortalException) -> PlainJSON {
    let commands = PortalCommands(state: self, caller: user(visit.userID))
    switch PlainJSON.read(body) {
    case .array(let calls)?:
      return .array(try calls.map { call throws(PortalException) in try run(call, commands) })
    case let call?: return try run(call, commands)
    case nil: throw PortalException.failure("The call is not JSON.")
    }
  }

  private func run(
    _ call: PlainJSON, _ commands: PortalCommands
  ) throws(PortalException) -> PlainJSON {
    guard case .object(let members) = call, let command = members.first, members.count == 1,
      case .object = command.value
    else { throw PortalException.failure("A call is an object with one command.") }
    return try commands.run(command.name, command.value)
  }
}
