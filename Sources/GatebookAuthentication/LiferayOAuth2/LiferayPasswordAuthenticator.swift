internal import GatebookCrypto
internal import GatebookEvents

/// Logs in to a portal with a password and a client (RFC 6749 section 4.3).
///
/// ```
/// ready       --start------------------> asking        POST to the token endpoint, sent once
/// asking      --a grant----------------> identifying   get-current-user
/// asking      --any other--------------> the code of TokenRefusal
/// identifying --200 with userId--------> finish
/// identifying --any other answer-------> the code of LiferayAnswer
/// ```
struct LiferayPasswordAuthenticator: Authenticator {
  private enum State {
    case ready
    case asking(sent: Moment)
    case identifying(OAuth2Tokens, sent: Moment)
    case ended
  }

  private var state = State.ready
  private let login: LiferayOAuth2Login
  private let user: String
  private let password: Secret

  init(_ login: LiferayOAuth2Login, user: String, password: Secret) {
    self.login = login
    self.user = user
    self.password = password
  }

  /// The tokens, as long as the portal has not said whose they are.
  var unclaimed: (any SessionProof)? {
    guard case .identifying(let tokens, _) = state else { return nil }
    return login.unclaimed(LiferayPasswordGrant.self, tokens)
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try check()
      state = .asking(sent: input.moment)
      return .send(
        try login.tokenRequest(
          [("grant_type", "password"), ("username", user), ("password", password.text)]
            + login.scope))
    case (.asking(let sent), .reply(_, let reply)):
      let tokens = try login.tokens(in: reply, for: .password)
      state = .identifying(tokens, sent: sent)
      return .send(try login.identification(tokens))
    case (.identifying(let tokens, let sent), .reply(_, let reply)):
      var outcome = try login.outcome(
        LiferayPasswordGrant.self, tokens, sent: sent, reply, loginName: user)
      state = .ended
      outcome.credentials = (outcome.proof as? LiferayOAuth2Proof<LiferayPasswordGrant>)?
        .saved(with: password)
      return .finish(outcome)
    case (.asking, .missing(let failure)), (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.asking, .begun), (.identifying, .begun),
      (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  /// In the order of the Login Screenlet: name, password, client id, client secret, version.
  private func check() throws(GatebookError) {
    guard !user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give the login name.")
    }
    try password.checkAsPassword()
    try login.check()
    guard login.client.secret?.isEmpty == false else {
      throw .setting("oauth2clientSecret", "it is empty.", remedy: "Give the client's secret.")
    }
    guard login.portal.version != .v62 else {
      throw .setting(
        "portalVersion", "Liferay 6.2 does not support OAuth 2 with a password.",
        remedy: "Log in with Basic or in cookie mode.")
    }
  }
}
