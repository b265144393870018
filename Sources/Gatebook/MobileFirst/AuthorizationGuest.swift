/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  /// Where the registration is kept while no account owns it.
  var kept: SessionID?
  /// Whether an answer uses the registration, or has used it: nobody else may take it then.
  var isUsed = false
  /// The pool whose connections flows without a session continue with; `nil` starts with new ones.
  var pool: String?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
  /// What answers servers that ask for credentials; made when something is sent.
  var held: HeldCredentials?
  /// What was given for challenges, for the session to come.
  var given: [GivenCredential] = []
  /// Which certificates were accepted, for the account to come.
  var accepted: [TrustException] = []

  /// What marks the kept registration as used; it is to be durable before an answer is sent.
  func usage(at now: Timestamp) -> [Append.VaultChange] {
    guard !isUsed, let kept, let registration else { return [] }
    return [GuestRegistration(id: kept, registration: registration, isUsed: true, at: now).change]
  }
}
