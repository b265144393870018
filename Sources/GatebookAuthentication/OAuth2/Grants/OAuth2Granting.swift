internal import GatebookCrypto
internal import GatebookEvents

/// A login by tokens of OAuth 2, with or without an ID token.
protocol OAuth2Granting: OAuth2Machine, RedirectAuthenticator {
  /// The person's visit to the server's page, as long as it lasts.
  var visit: CodeGrant? { get set }

  /// What has come, and is nobody's yet or cannot be used, such as a token of an unknown type.
  var unproven: OAuth2Tokens? { get set }

  /// Continues with what the server has granted.
  ///
  /// - Throws: The login failed.
  mutating func granted(
    _ granted: OAuth2Granted, _ input: Input
  ) throws(GatebookError) -> Step
}

/// ```
/// ready  --obtain-------> asking   POST to the token endpoint, sent once
/// asking --a grant------> granted
/// asking --any other----> the code of TokenRefusal
/// ```
extension OAuth2Granting {
  /// Asks the token endpoint for tokens.
  ///
  /// - Parameters:
  ///   - parameters: What is asked, with what it is asked for.
  ///   - grant: What an answer means.
  ///   - input: What happened before.
  ///   - complete: Adds to the tokens what is known besides.
  /// - Returns: The step.
  /// - Throws: `configuration.invalid` without an endpoint, or where this machine does not sign.
  mutating func obtain(
    _ parameters: [(name: String, value: String)], for grant: TokenRefusal.Grant, _ input: Input,
    completing complete: @escaping @Sendable (inout OAuth2Granted) -> Void = { _ in }
  ) throws(GatebookError) -> Step {
    let exchange = OAuth2Exchange(try login.url(.token), parameters, at: input.moment)
    return try ask(exchange, input) { machine, arrival, exchange in
      var granted = try machine.take(arrival.reply, for: grant, of: exchange)
      complete(&granted)
      return try machine.granted(granted, arrival.input)
    }
  }

  /// Takes an answer of the token endpoint.
  ///
  /// - Throws: What it means, where it grants nothing that can be used.
  mutating func take(
    _ reply: HTTPReply, for grant: TokenRefusal.Grant, of exchange: OAuth2Exchange
  ) throws(GatebookError) -> OAuth2Granted {
    do throws(GatebookError) {
      return try OAuth2Granted(reply, for: grant, of: exchange, login)
    } catch {
      unproven = OAuth2Tokens(unusable: reply)
      throw error
    }
  }

  /// Asks for tokens for a person's password (RFC 6749 section 4.3).
  ///
  /// - Throws: `configuration.invalid` for what would be a useless attempt.
  mutating func obtain(
    by password: Secret, of user: String, _ input: Input
  ) throws(GatebookError) -> Step {
    try user.checkAsSetting("user", remedy: "Give the login name.")
    try password.checkAsPassword()
    return try obtain(
      [("grant_type", "password"), ("username", user), ("password", password.text)]
        + login.application.scopeParameter, for: .password, input
    ) {
      $0.loginName = user
      $0.password = password
    }
  }
}
