/// `POST /api/jsonws/invoke`: the calls.
enum InvokeRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    let request = visit.request
    guard request.method == "POST" else {
      return PortalPage.error(405, "Calls are made with POST.")
    }
    guard request.fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
      return PortalPage.error(415, "Calls are made in JSON.")
    }
    if let refusal = identify(&visit, &state) { return refusal }
    do {
      return .json(try results(of: request.body, visit, &state).text)
    } catch {
      return error.reply(as: state.switches.version)
    }
  }

  /// Finds out who calls: an `Authorization` that is understood wins over the session's cookie.
  private static func identify(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply? {
    if let token = visit.request.authorization("bearer") {
      return identify(&visit, byToken: token, &state)
    }
    if let (name, password) = visit.request.basicCredentials {
      guard let user = state.authenticate(name, password, by: state.switches.loginName) else {
        guard state.switches.refusesBadBasic else { return nil }
        return PortalPage.error(401, "The name or the password is wrong.")
          .with("WWW-Authenticate", "Basic realm=\"PortalRealm\"")
      }
      visit.recognise(user.userID, by: .basic)
      return state.switches.needsTokenForBasic ? tokenRefusal(user.userID, state) : nil
    }
    if OAuth1Parameters.areIn(visit.request) { return identifySigner(&visit, &state) }
    guard let session = state.session(of: visit.request) else { return nil }
    visit.recognise(session.userID, by: .session)
    guard let userID = session.userID, !state.carriesToken(visit.request, of: session) else {
      return nil
    }
    return tokenRefusal(userID, state)
  }

  /// An unknown token counts as a guest's or gets 401 (RFC 6750 section 3); which of them a portal
  /// does is inferred.
  private static func identify(
    _ visit: inout PortalVisit, byToken token: Substring, _ state: inout PortalState
  ) -> LoopbackReply? {
    if let token = state.token(access: token) {
      visit.recognise(token)
      return nil
    }
    guard !state.switches.takesBadBearerForGuest else { return nil }
    return PortalPage.error(401, "The token is not known.")
      .with("WWW-Authenticate", "Bearer realm=\"PortalRealm\", error=\"invalid_token\"")
  }

  private static func identifySigner(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply? {
    do {
      visit.recognise(try state.signer(of: visit.request).userID, by: .oauth1)
      return nil
    } catch {
      return error.reply(state.switches)
    }
  }

  private static func tokenRefusal(_ userID: Int64, _ state: PortalState) -> LoopbackReply {
    guard state.switches.version != .v62, !state.switches.refusesTokenAsHTML else {
      return PortalPage.error(403, "You do not have permission to do that.")
    }
    return PortalException.tokenMissing(of: userID).reply(as: state.switches.version)
  }

  private static func results(
    of body: [UInt8], _ visit: PortalVisit, _ state: inout PortalState
  ) throws(PortalException) -> PlainJSON {
    let misreported = state.misreports.first
    let commands = PortalCommands(
      state: state, caller: state.user(visit.userID), misreported: misreported)
    let answer: PlainJSON
    switch PlainJSONReader.read(body) {
    case .array(let calls)?:
      var results: [PlainJSON] = []
      for call in calls { results.append(try run(call, commands)) }
      answer = .array(results)
    case let call?: answer = try run(call, commands)
    case nil: throw PortalException.failure("The call is not JSON.")
    }
    if misreported != nil, tellsUser(answer) { state.misreports.removeFirst() }
    return answer
  }

  private static func tellsUser(_ answer: PlainJSON) -> Bool {
    if case .array(let results) = answer { return results.contains { $0["userId"] != nil } }
    return answer["userId"] != nil
  }

  private static func run(
    _ call: PlainJSON, _ commands: PortalCommands
  ) throws(PortalException) -> PlainJSON {
    guard case .object(let members) = call, let command = members.first, members.count == 1,
      case .object = command.value
    else { throw PortalException.failure("A call is an object with one command.") }
    return try commands.run(command.name, command.value)
  }
}
