internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// A login by OAuth 1.0a that works, and the pieces to make it fail.
enum ServiceLogin {
  static let site = "https://api.example.test"
  static let confirmed = HTTPReply.answer(
    200, body: "oauth_token=tmp%2F1&oauth_token_secret=ts%2B1&oauth_callback_confirmed=True")
  static let granted = HTTPReply.answer(
    200, body: "oauth_token=tok12345&oauth_token_secret=cipher%26\n")
  /// The server's clock is ten minutes ahead.
  static let ahead = HTTPReply.answer(
    400, ["Date": "Tue, 14 Nov 2023 22:23:20 GMT"], body: "oauth_problem=timestamp_refused")
  static let revoked = HTTPReply.answer(
    401, ["WWW-Authenticate": "OAuth oauth_problem=\"token_revoked\""])

  static func service(
    request: String = "\(site)/request", page: String = "\(site)/allow?lang=en",
    method: OAuth1Service.RequestMethod = .post, requiresConfirmation: Bool = true
  ) throws -> OAuth1Service {
    OAuth1Service(
      requestTokenURL: try .at(request), authorisationURL: try .at(page),
      accessTokenURL: try .at("\(site)/token"), requestMethod: method,
      requiresConfirmation: requiresConfirmation, realm: "R")
  }

  static func method(
    _ service: OAuth1Service? = nil, key: String = "app", secret: String = "s&cret",
    user: String = "ada", callback: String = "app://back/here"
  ) throws -> LoginMethod {
    .oauth1(
      try service ?? Self.service(), consumer: OAuth1Consumer(key: key, secret: Secret(secret)),
      checkURL: try .at("\(site)/me"), user: user, callback: callback)
  }

  /// The redirect of a person who allowed the application.
  static let allowed: Input.Happening = .redirect(
    FormFields([.init("oauth_token", "tmp/1"), .init("oauth_verifier", "ver 1")]))

  /// A login that waits for the answer to the check URL.
  static func beforeCheck(_ method: LoginMethod? = nil) throws -> Dialogue {
    var dialogue = Dialogue(try method ?? Self.method())
    try dialogue.play([.answer(401), confirmed])
    try dialogue.hand(in: allowed)
    try dialogue.hand(in: .reply(granted))
    return dialogue
  }

  /// What a login that works proposes.
  static func outcome(_ method: LoginMethod? = nil) throws -> Outcome {
    var dialogue = try beforeCheck(method)
    try dialogue.hand(in: .reply(.answer(200)))
    return try #require(dialogue.outcome)
  }
}
