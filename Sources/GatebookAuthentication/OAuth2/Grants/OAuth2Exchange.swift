internal import GatebookEvents

/// One question to a server of OAuth 2: sent once, and once more only if the server took nothing
/// but wants its nonce in the key's proof (RFC 9449 sections 8 and 9).
struct OAuth2Exchange: Sendable {
  private enum Content {
    case parameters([(name: String, value: String)], proves: Bool)
    case tokens(OAuth2Tokens)
  }

  /// Where it goes.
  let url: HTTPURL
  private let content: Content
  private var isRepeated = false
  /// When it was last sent: lives of tokens count from here.
  private(set) var sent: Moment

  /// Makes a question to an endpoint that wants to know the application.
  ///
  /// - Parameters:
  ///   - url: The endpoint.
  ///   - parameters: What is asked.
  ///   - proves: Whether it carries the proof of the account's key, as at the token endpoint.
  ///   - moment: Now.
  init(
    _ url: HTTPURL, _ parameters: [(name: String, value: String)], proves: Bool = true,
    at moment: Moment
  ) {
    self.url = url
    content = .parameters(parameters, proves: proves)
    sent = moment
  }

  /// Makes a request for what tokens open.
  init(_ url: HTTPURL, by tokens: OAuth2Tokens, at moment: Moment) {
    self.url = url
    content = .tokens(tokens)
    sent = moment
  }

  /// Sends it.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  mutating func send(_ login: OAuth2Login, _ input: Input) throws(GatebookError) -> Step {
    sent = input.moment
    switch content {
    case .parameters(let parameters, let proves):
      let request = try login.request(
        url, parameters, at: input.moment, random: input.randomness)
      guard proves, let binding = login.binding else { return .send(request) }
      return .send(
        request.replacing(
          try binding.proof(
            of: request, accessToken: nil, clock: login.clock, at: input.moment,
            random: input.randomness.bytes(for: "dpop"))))
    case .tokens(let tokens):
      let request = HTTPRequest(
        "GET", url, fields: [HTTPField("Accept", "application/json")], limits: .endpoint)
      return .send(
        try login.authorised(request, by: tokens, at: input.moment, random: input.randomness))
    }
  }

  /// The repetition that an answer asks for; `nil` if the answer is final.
  mutating func again(
    after reply: HTTPReply, _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step? {
    let isNew = login.learn(from: reply, of: url, at: input.moment, sent: sent)
    guard isNew, !isRepeated, wantsNonce(reply) else { return nil }
    isRepeated = true
    return try send(login, input)
  }

  private func wantsNonce(_ reply: HTTPReply) -> Bool {
    switch content {
    case .parameters(_, let proves):
      proves && [400, 401].contains(reply.status)
        && TokenRefusal.code(in: reply) == "use_dpop_nonce"
    case .tokens(let tokens): tokens.isBound && reply.status == 401
    }
  }
}
