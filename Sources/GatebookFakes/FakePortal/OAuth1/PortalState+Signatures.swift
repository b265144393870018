internal import Gatebook

extension PortalState {
  /// The second half of a signing key, and who may use it.
  typealias TokenSecret = (secret: String, consumerKey: String?)

  /// Checks a signed request and takes its nonce.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parameters: Its parameters.
  ///   - token: The token's secret; without a consumer's key for the first leg, which has no token.
  ///     `nil` refuses the token.
  /// - Returns: The consumer's key.
  /// - Throws: Why it is refused.
  mutating func check(
    _ request: LoopbackRequest, _ parameters: OAuth1Parameters, _ token: TokenSecret?
  ) throws(FakeOAuth1Refusal) -> String {
    let key = try parameters.required("oauth_consumer_key")
    guard let consumer = oauth1.consumers.first(where: { $0.key == key }) else {
      throw FakeOAuth1Refusal.consumerUnknown
    }
    guard try parameters.required("oauth_signature_method") == "HMAC-SHA1" else {
      throw FakeOAuth1Refusal.methodRejected
    }
    guard parameters["oauth_version"] ?? "1.0" == "1.0" else {
      throw FakeOAuth1Refusal.versionRejected
    }
    guard let token, token.consumerKey ?? key == key else { throw FakeOAuth1Refusal.tokenRejected }
    let signature = FakeOAuth1Signature(request: request, parameters: parameters, scheme: scheme)
    let sent = try parameters.required("oauth_signature")
    guard sent == signature.value(consumer.secret, token.secret) else {
      throw FakeOAuth1Refusal.signatureInvalid
    }
    try checkAge(parameters)
    let nonce = try parameters.required("oauth_nonce")
    guard oauth1.nonces.insert([key, nonce]).inserted else { throw FakeOAuth1Refusal.nonceUsed }
    return key
  }

  /// The token credentials that signed a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The credentials.
  /// - Throws: Why it is refused.
  mutating func signer(
    of request: LoopbackRequest
  ) throws(FakeOAuth1Refusal) -> FakePortalConsumerToken {
    let parameters = try OAuth1Parameters(request)
    let credentials = oauth1.tokens[try parameters.required("oauth_token")]
    _ = try check(request, parameters, credentials.map { ($0.secret, $0.consumerKey) })
    guard let credentials else { throw FakeOAuth1Refusal.tokenRejected }
    return credentials
  }

  private func checkAge(_ parameters: OAuth1Parameters) throws(FakeOAuth1Refusal) {
    guard let seconds = Int64(try parameters.required("oauth_timestamp")), seconds > 0 else {
      throw FakeOAuth1Refusal.parameterRejected
    }
    let window = FakeOAuth1Signature.window.components.seconds
    let now = wall.rawValue / 1_000_000
    guard (now - window...now + window).contains(seconds) else {
      throw FakeOAuth1Refusal.timestampRefused
    }
  }
}
