/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  /// Where the registration is kept while no account owns it.
  var kept: SessionID?
  /// Whose connections flows without a session go on with; `nil` begins with others.
  var pool: String?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
  /// What answers servers that ask for credentials; made when something is sent.
  var held: HeldCredentials?
  /// What was given for challenges, for the session to come.
  var given: [GivenCredential] = []
  /// Which certificates were accepted, for the account to come.
  var accepted: [TrustException] = []
}
