internal import GatebookEvents

/// One request of a login, signed again once if the server refuses its timestamp.
struct OAuth1Exchange: Sendable {
  /// The request without its signature.
  let request: HTTPRequest
  /// What signs it.
  let signer: OAuth1Signer
  /// Other protocol parameters.
  let extra: [OAuth1Parameter]
  /// The realm to name.
  let realm: String?
  /// What is known of the server's clock, from this exchange too.
  private(set) var clock: OAuth1Clock
  private var isCorrected = false

  init(
    _ request: HTTPRequest, _ signer: OAuth1Signer, extra: [OAuth1Parameter] = [], realm: String?,
    clock: OAuth1Clock
  ) {
    self.request = request
    self.signer = signer
    self.extra = extra
    self.realm = realm
    self.clock = clock
  }

  /// One that a session signs.
  init(_ request: HTTPRequest, signedBy session: OAuth1Session) {
    self.init(
      request, OAuth1Signer(session.consumer, token: session.token), realm: session.realm,
      clock: session.clock)
  }

  /// The request with a new timestamp and nonce.
  ///
  /// - Throws: What the signer throws.
  func signed(_ input: Input) throws(GatebookError) -> HTTPRequest {
    try signer.sign(
      request, stamp: OAuth1Stamp(clock: clock, at: input.moment.wall, random: input.random),
      extra: extra, realm: realm)
  }

  /// The request by the server's clock, if that is what the answer asks for; once only.
  ///
  /// What was refused for its timestamp was not acted on, so also a verifier may be sent again.
  ///
  /// - Throws: What the signer throws.
  mutating func again(
    after reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> HTTPRequest? {
    guard !isCorrected, let clock = clock.afterRefusal(reply, at: input.moment.wall) else {
      return nil
    }
    isCorrected = true
    self.clock = clock
    return try signed(input)
  }
}
