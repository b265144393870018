internal import GatebookCrypto
internal import GatebookEvents

/// The key that an account's tokens are bound to, and what servers want to see in its proofs
/// (RFC 9449).
struct TokenBinding: Sendable {
  /// The account's own; whoever loses it must log in again.
  let key: P256Key
  /// The last nonce of each origin (section 8).
  private var nonces: [String: String] = [:]

  init(key: P256Key) {
    self.key = key
  }

  /// The thumbprint for the authorisation request (section 10).
  var thumbprint: String { key.publicKey.thumbprint }

  /// The field of one request.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  func proof(
    of request: HTTPRequest, accessToken: Secret?, clock: ServerClock, at moment: Moment,
    random: [UInt8]
  ) throws(GatebookError) -> HTTPField {
    try DPoPProof(
      request.method, request.url, accessToken: accessToken,
      nonce: nonces[request.url.origin.description], key: key, at: moment, offset: clock.offset,
      random: random
    ).field
  }

  /// Keeps the nonce of an answer.
  ///
  /// - Returns: Whether it is another one than before.
  mutating func learn(from reply: HTTPReply, of origin: Origin) -> Bool {
    // Section 8.1: the nonce has the characters of NQCHAR.
    guard let nonce = reply.fields.first("DPoP-Nonce"), (1...1024).contains(nonce.utf8.count),
      nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != .quote && $0 != .backslash }),
      nonces[origin.description] != nonce
    else { return false }
    nonces[origin.description] = nonce
    return true
  }
}

extension TokenBinding: StoredRecord {
  /// Key and nonces.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    key = try facts.required("key", kept?.key)
    nonces = try facts.required("nonces", kept?.nonces)
  }
}
