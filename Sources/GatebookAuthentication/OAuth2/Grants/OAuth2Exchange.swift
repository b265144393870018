internal import GatebookEvents

/// One question to an endpoint that wants to know the application: sent once, and once more only if
/// the server took nothing but wants its nonce in the key's proof (RFC 9449 section 8).
struct OAuth2Exchange: Sendable {
  /// The endpoint.
  let url: HTTPURL
  private let parameters: [(name: String, value: String)]
  private let proves: Bool
  private var isRepeated = false
  /// When it was last sent: lives of tokens count from here.
  private(set) var sent: Moment

  /// Makes a question.
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
    self.parameters = parameters
    self.proves = proves
    sent = moment
  }

  /// Sends it.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  mutating func send(_ login: OAuth2Login, _ input: Input) throws(GatebookError) -> Step {
    sent = input.moment
    let request = try login.request(
      url, parameters, at: input.moment, random: input.randomness)
    guard proves, let binding = login.binding else { return .send(request) }
    return .send(
      request.replacing(
        try binding.proof(
          of: request, accessToken: nil, clock: login.clock, at: input.moment,
          random: input.randomness.bytes(for: "dpop"))))
  }

  /// The repetition that an answer asks for; `nil` if the answer is final.
  mutating func again(
    after reply: HTTPReply, _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step? {
    let isNew = login.learn(from: reply, of: url, at: input.moment, sent: sent)
    guard isNew, !isRepeated, proves, [400, 401].contains(reply.status),
      TokenRefusal.code(in: reply) == "use_dpop_nonce"
    else { return nil }
    isRepeated = true
    return try send(login, input)
  }
}
