internal import GatebookEvents

/// A request with a token, and its one repetition if the server wants its nonce in the key's proof
/// (RFC 9449 section 9).
struct BoundRequest: Sendable {
  /// What is asked for.
  let url: HTTPURL
  private let tokens: OAuth2Tokens
  private var isRepeated = false

  init(_ url: HTTPURL, _ tokens: OAuth2Tokens) {
    self.url = url
    self.tokens = tokens
  }

  /// Sends it.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  func send(_ login: OAuth2Login, _ input: Input) throws(GatebookError) -> Step {
    let request = HTTPRequest(
      "GET", url, fields: [HTTPField("Accept", "application/json")], limits: .endpoint)
    return .send(
      try login.authorised(request, by: tokens, at: input.moment, random: input.randomness))
  }

  /// The repetition that an answer asks for; `nil` if the answer stands.
  mutating func again(
    after reply: HTTPReply, _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step? {
    let isNew = login.learn(from: reply, of: url, at: input.moment)
    guard isNew, !isRepeated, tokens.isBound, reply.status == 401 else { return nil }
    isRepeated = true
    return try send(login, input)
  }
}
