internal import GatebookCrypto
internal import GatebookEvents

/// Tokens for what the application has in its hands: a person's password (RFC 6749 section 4.3), or
/// its own secret (section 4.4).
///
/// ```
/// ready  --begin--------> asking   POST to the token endpoint, sent once
/// asking --a grant------> done
/// asking --any other----> the code of TokenRefusal
/// ```
struct DirectGrant: OAuth2Granting {
  private enum State {
    case ready
    case asking(OAuth2Exchange)
    case ended
  }

  private var state = State.ready
  private let user: String?
  private let password: Secret?

  /// The application's own tokens.
  init() {
    user = nil
    password = nil
  }

  /// The tokens of a person.
  init(user: String, password: Secret) {
    self.user = user
    self.password = password
  }

  mutating func begin(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    var exchange = OAuth2Exchange(
      try login.url(.token), try parameters(login), at: input.moment)
    let step = try exchange.send(login, input)
    state = .asking(exchange)
    return step
  }

  mutating func next(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Granted> {
    switch (state, Answer(input)) {
    case (.asking(var exchange), .reply(_, let reply)):
      if let again = try exchange.again(after: reply, &login, input) {
        state = .asking(exchange)
        return .step(again)
      }
      state = .ended
      var granted = try OAuth2Granted(
        reply, for: password == nil ? .client : .password, of: exchange, login)
      granted.loginName = user
      granted.password = password
      return .done(granted)
    case (.asking, .missing(let failure)): throw failure.error
    case (.ready, _), (.asking, .begun), (.asking, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private func parameters(
    _ login: OAuth2Login
  ) throws(GatebookError) -> [(name: String, value: String)] {
    let scope = login.application.scope.map { [(name: "scope", value: $0)] } ?? []
    guard let user, let password else {
      return [("grant_type", "client_credentials")] + scope
    }
    guard !user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give the login name.")
    }
    try password.checkAsPassword()
    return [("grant_type", "password"), ("username", user), ("password", password.text)] + scope
  }
}
