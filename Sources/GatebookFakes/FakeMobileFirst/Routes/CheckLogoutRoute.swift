/// `POST preauth/v1/logout`: ends what one check knows, and the tokens that rest on it.
///
/// That an unknown check is refused, that refresh tokens end too and the refusal of a wrong
/// assertion are inferred.
enum CheckLogoutRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard visit.request.method == "POST" else { return MobileFirstReply.wrongMethod("POST") }
    guard let client = client(&visit, state) else { return MobileFirstReply.invalidClient }
    guard let name = visit.request.formValue("security_check"), state.application.check(name) != nil
    else { return MobileFirstReply.invalidRequest }
    let now = state.now
    state.clients[client.id]?.states[name]?.logOut(at: now)
    let rests = { (token: GrantedToken) in
      token.clientID == client.id && token.successes[name] != nil
    }
    state.tokens = state.tokens.filter { !rests($0.value) }
    state.refreshTokens = state.refreshTokens.filter { !rests($0.value) }
    return .json("{}")
  }
}
