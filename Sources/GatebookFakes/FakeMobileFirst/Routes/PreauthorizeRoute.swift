/// `POST preauth/v1/preauthorize`: the checks of a scope are evaluated; logging in is this, too.
///
/// Any failure gives 403, else any challenge 401, else 200 (the order is inferred, and so are 415
/// and the refusals of bodies and scopes).
enum PreauthorizeRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    let request = visit.request
    guard request.method == "POST" else { return MobileFirstReply.wrongMethod("POST") }
    guard request.fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
      return MobileFirstReply.page(415, "This is asked in JSON.")
    }
    guard let body = PlainJSONReader.read(request.body), case .object = body else {
      return MobileFirstReply.invalidRequest
    }
    guard let clientID = body["client_id"]?.string, state.clients[clientID] != nil else {
      return MobileFirstReply.unknownClient
    }
    visit.clientID = clientID
    guard state.invalidClients == 0 else {
      state.invalidClients -= 1
      return MobileFirstReply.unknownClient
    }
    if let conflict = state.conflict(on: .preauthorize) { return conflict }
    guard let selection = state.application.selection(for: body["scope"]?.string ?? "") else {
      return MobileFirstReply.error("INVALID_SCOPE")
    }
    var evaluation = state.evaluate(selection, of: clientID, answers: body["challengeResponse"])
    if !state.switches.omitClock { evaluation.addClock(state.told.milliseconds) }
    return reply(evaluation, state)
  }

  private static func reply(
    _ evaluation: ScopeEvaluation, _ state: MobileFirstState
  ) -> LoopbackReply {
    let successes = PlainJSON.Member(name: "successes", value: .object(evaluation.successes))
    let more = evaluation.successes.isEmpty ? [] : [successes]
    if !evaluation.failures.isEmpty {
      let failures = PlainJSON.Member(name: "failures", value: .object(evaluation.failures))
      return .json(PlainJSON.object([failures] + more).text, status: state.switches.failureStatus)
    }
    if !evaluation.challenges.isEmpty {
      let challenges = PlainJSON.Member(name: "challenges", value: .object(evaluation.challenges))
      return .json(
        PlainJSON.object([challenges] + more).text, status: 401,
        fields: ["WWW-Authenticate": "MFP-Challenge"])
    }
    return .json(PlainJSON.object([successes]).text)
  }
}
