extension MobileFirstState {
  private static let redirectURI = "https://mfpredirecturi"

  /// `GET az/v1/authorization`: a code, if all checks of the scope have succeeded.
  ///
  /// The checks are evaluated as in any request, without credentials: a remembered login counts.
  mutating func authorize(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let request = visit.request
    guard request.queryValue("response_type") == "code",
      request.queryValue("redirect_uri") == Self.redirectURI,
      let clientID = request.queryValue("client_id"), clients[clientID] != nil,
      let scope = request.queryValue("scope"),
      let selection = application.selection(for: scope)
    else { return MobileFirstReply.grantError("invalid_request") }
    visit.clientID = clientID
    _ = evaluate(selection, of: clientID)
    guard foundation(selection, of: clientID) != nil else {
      return reply("error", "access_denied")
    }
    let code = issue("code")
    codes[code] = GrantedCode(clientID: clientID, scope: scope, redirectURI: Self.redirectURI)
    return reply("code", code)
  }

  private func reply(_ name: String, _ value: String) -> LoopbackReply {
    guard switches.answersCodeInBody else {
      return .redirect(to: "\(Self.redirectURI)?\(name)=\(value)")
    }
    return .json(.object([PlainJSON.Member(name: name, value: .string(value))]))
  }
}
