/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
}
