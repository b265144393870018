/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  /// Where the registration is kept while no account owns it.
  var kept: SessionID?
  /// Whose connections flows without a session go on with; `nil` begins with others.
  var pool: String?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
}
