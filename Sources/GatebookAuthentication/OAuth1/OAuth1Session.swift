package import GatebookCrypto
internal import GatebookEvents

/// What signs the requests of a session.
struct OAuth1Session: Sendable {
  /// The application.
  var consumer: OAuth1Consumer
  /// The person's token.
  var token: OAuth1Token
  /// What is known of the server's clock.
  var clock: OAuth1Clock
  /// The realm to name.
  var realm: String?

  /// The request with a fresh timestamp and nonce; as it is if it cannot be signed.
  ///
  /// PLAINTEXT without TLS, and SHA-1 where the machine's policy forbids it, leave a request
  /// unsigned: the server then refuses it.
  func sign(_ request: HTTPRequest, at moment: Moment, random: [UInt8]) -> HTTPRequest {
    let stamp = OAuth1Stamp(clock: clock, at: moment.wall, random: random)
    let signed = try? OAuth1Signer(consumer, token: token).sign(
      request, stamp: stamp, realm: realm)
    return signed ?? request
  }

  /// The session with the clock that a refused timestamp shows; `nil` for any other answer.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - request: What was answered, with its signature: that tells when it was made.
  /// - Returns: The session to continue with.
  func corrected(by reply: HTTPReply, to request: HTTPRequest) -> OAuth1Session? {
    guard let field = request.fields.first("Authorization"),
      let seconds = OAuth1Stamp.timestamp(in: field),
      let corrected = clock.afterRefusal(reply, at: clock.local(seconds))
    else { return nil }
    var session = self
    session.clock = corrected
    return session
  }
}

extension OAuth1Session: StoredRecord {
  /// The session, secrets included.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    consumer = try facts.required("consumer", kept?.consumer)
    clock = try facts.required("offset", kept?.clock)
    realm = facts.optional("realm", kept?.realm)
    token = try facts.required("token", kept?.token)
  }
}

/// A token with its secret: the temporary one of a login, or a session's (RFC 5849 section 1.1).
package struct OAuth1Token: Equatable, Sendable {
  /// The value of `oauth_token`.
  package var token: Secret
  /// What requests are signed with; may be empty.
  package var secret: Secret
}

extension OAuth1Token: StoredRecord {
  /// The token, never empty, and its secret.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      token: try facts.required("token", kept?.token),
      secret: try facts.required("secret", kept?.secret))
    if token.isEmpty { throw Unreadable() }
  }
}
