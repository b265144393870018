/// `GET az/v1/authorization`: a code, if all checks of the scope have succeeded.
///
/// The checks are evaluated as in any request, without credentials: a remembered login counts.
enum AuthorizationRoute: MobileFirstRoute {
  private static let redirectURI = "https://mfpredirecturi"

  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    let request = visit.request
    guard request.method == "GET" else { return MobileFirstReply.wrongMethod("GET") }
    guard request.queryValue("response_type") == "code",
      request.queryValue("redirect_uri") == redirectURI,
      let clientID = request.queryValue("client_id"), state.clients[clientID] != nil,
      let scope = request.queryValue("scope"),
      let selection = state.application.selection(for: scope)
    else { return MobileFirstReply.grantError("invalid_request") }
    visit.clientID = clientID
    _ = state.evaluate(selection, of: clientID)
    guard state.foundation(selection, of: clientID) != nil else {
      return reply("error", "access_denied", state)
    }
    let code = state.issue("code")
    state.codes[code] = GrantedCode(clientID: clientID, scope: scope, redirectURI: redirectURI)
    return reply("code", code, state)
  }

  private static func reply(
    _ name: String, _ value: String, _ state: MobileFirstState
  ) -> LoopbackReply {
    guard state.switches.answersCodeInBody else {
      return .redirect(to: "\(redirectURI)?\(name)=\(value)")
    }
    return .json(PlainJSON.object([PlainJSON.Member(name: name, value: .string(value))]).text)
  }
}
