/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
  /// What answers servers that ask for credentials; made when something is sent.
  var held: HeldCredentials?
  /// What was given for challenges, for the session to come.
  var given: [GivenCredential] = []
  /// Which certificates were accepted, for the account to come.
  var accepted: [TrustException] = []
}
