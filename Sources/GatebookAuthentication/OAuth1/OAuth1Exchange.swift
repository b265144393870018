internal import GatebookEvents

/// One request of a login, signed again once if the server refuses its timestamp.
struct OAuth1Exchange: Sendable {
  /// The request without its signature.
  let request: HTTPRequest
  /// What signs it.
  let signer: OAuth1Signer
  /// Other protocol parameters.
  var extra: [OAuth1Parameter] = []
  /// The realm to name.
  let realm: String?
  /// What is known of the server's clock.
  var clock: OAuth1Clock

  /// The request with a new timestamp and nonce.
  ///
  /// - Throws: What the signer throws.
  fileprivate func signed(_ input: Input) throws(GatebookError) -> HTTPRequest {
    try signer.sign(
      request, stamp: OAuth1Stamp(clock: clock, at: input.moment.wall, random: input.random),
      extra: extra, realm: realm)
  }
}

extension OAuth1Exchange {
  /// One that a session signs.
  init(_ request: HTTPRequest, signedBy session: OAuth1Session) {
    self.init(
      request: request, signer: OAuth1Signer(session.consumer, token: session.token),
      realm: session.realm, clock: session.clock)
  }
}

extension ReplyAuthenticator {
  /// Sends a signed request, and once more by the server's clock if the server refuses its
  /// timestamp.
  ///
  /// What was refused for its timestamp was not acted on, so also a verifier may be sent again.
  ///
  /// - Parameters:
  ///   - exchange: What is sent.
  ///   - input: What it is signed with.
  ///   - take: What takes the reply, and the clock that the server is known to have.
  /// - Returns: The step.
  /// - Throws: What the signer throws.
  mutating func send(
    _ exchange: OAuth1Exchange, _ input: Input,
    then take: @escaping @Sendable (inout Self, Arrival, OAuth1Clock) throws -> Step
  ) throws(GatebookError) -> Step {
    send(try exchange.signed(input)) { machine, arrival in
      let now = arrival.input.moment.wall
      guard let clock = exchange.clock.afterRefusal(arrival.reply, at: now) else {
        return try take(&machine, arrival, exchange.clock)
      }
      var again = exchange
      again.clock = clock
      return machine.send(try again.signed(arrival.input)) { try take(&$0, $1, clock) }
    }
  }
}
