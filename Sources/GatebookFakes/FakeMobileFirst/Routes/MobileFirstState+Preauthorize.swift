extension MobileFirstState {
  /// `POST preauth/v1/preauthorize`: the checks of a scope are evaluated; logging in is this, too.
  ///
  /// Any failure gives 403, else any challenge 401, else 200 (the order is inferred, and so are 415
  /// and the refusals of bodies and scopes).
  mutating func preauthorize(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let request = visit.request
    guard request.isJSON else {
      return Self.page.error(415, "This is asked in JSON.")
    }
    guard let body = PlainJSON.read(request.body), case .object = body else {
      return MobileFirstReply.invalidRequest
    }
    guard let clientID = body["client_id"]?.string, clients[clientID] != nil else {
      return MobileFirstReply.unknownClient
    }
    visit.clientID = clientID
    guard let selection = application.selection(for: body["scope"]?.string ?? "") else {
      return MobileFirstReply.error("INVALID_SCOPE")
    }
    var evaluation = evaluate(selection, of: clientID, answers: body["challengeResponse"])
    if !switches.omitClock { evaluation.addClock(told.milliseconds) }
    return reply(evaluation)
  }

  private func reply(_ evaluation: ScopeEvaluation) -> LoopbackReply {
    let isFailed = evaluation.failures != [:]
    guard isFailed || evaluation.challenges != [:] else {
      return .json(["successes": evaluation.successes])
    }
    var answer: PlainJSON =
      isFailed ? ["failures": evaluation.failures] : ["challenges": evaluation.challenges]
    if evaluation.successes != [:] { answer["successes"] = evaluation.successes }
    return isFailed
      ? .json(answer, status: switches.failureStatus)
      : .json(answer, status: 401, fields: ["WWW-Authenticate": "MFP-Challenge"])
  }

  /// `POST preauth/v1/logout`: ends what one check knows, and the tokens that rest on it.
  ///
  /// That an unknown check is refused and the refusal of a wrong assertion are inferred.
  mutating func endCheck(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let client = client(&visit) else { return MobileFirstReply.invalidClient }
    guard let name = visit.request.formValue("security_check"), application.check(name) != nil
    else { return MobileFirstReply.invalidRequest }
    let now = self.now
    clients[client.id]?.states[name]?.logOut(at: now)
    tokens = tokens.filter { $0.value.clientID != client.id || $0.value.successes[name] == nil }
    return .json("{}")
  }
}
