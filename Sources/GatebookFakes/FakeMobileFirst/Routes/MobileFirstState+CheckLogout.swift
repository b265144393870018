extension MobileFirstState {
  /// `POST preauth/v1/logout`: ends what one check knows, and the tokens that rest on it.
  ///
  /// That an unknown check is refused, that refresh tokens end too and the refusal of a wrong
  /// assertion are inferred.
  mutating func endCheck(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let client = client(&visit) else { return MobileFirstReply.invalidClient }
    guard let name = visit.request.formValue("security_check"), application.check(name) != nil
    else { return MobileFirstReply.invalidRequest }
    let now = self.now
    clients[client.id]?.states[name]?.logOut(at: now)
    let rests = { (token: GrantedToken) in
      token.clientID == client.id && token.successes[name] != nil
    }
    tokens = tokens.filter { !rests($0.value) }
    refreshTokens = refreshTokens.filter { !rests($0.value) }
    return .json("{}")
  }

  /// `POST preauth/v1/heartbeat`: keeps a client's checks from ending for inactivity (inferred).
  mutating func keepAlive(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let client = client(&visit) else { return MobileFirstReply.invalidClient }
    touch(client.states.keys, of: client.id)
    return .json("{}")
  }
}
