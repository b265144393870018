package import GatebookCrypto
internal import GatebookEvents

/// One answer to a Digest challenge: what a request says, and what its reply must prove.
///
/// Kept until the reply comes, so that each reply is judged by what its own request was sent with,
/// whatever other requests have learnt meanwhile.
package struct DigestAnswer: Sendable {
  /// What is answered, with the nonce that is used.
  package let challenge: DigestChallenge
  /// How often the nonce was used, this time included.
  package let count: UInt32
  /// The client's nonce.
  package let clientNonce: String

  private let user: String
  /// HA1 as the response uses it: that of the session with a `-sess` algorithm.
  private let key: Secret
  private let method: String
  private let uri: String
  /// The hash of the body; only where the answer protects it.
  private let bodyDigits: [UInt8]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - challenge: What is answered, with the nonce that is used.
  ///   - request: What is asked for.
  ///   - user: The user name.
  ///   - key: HA1; that of the session with a `-sess` algorithm.
  ///   - count: How often the nonce was used, this time included.
  ///   - clientNonce: The client's nonce.
  package init(
    _ challenge: DigestChallenge, to request: HTTPRequest, user: String, key: Secret,
    count: UInt32, clientNonce: String
  ) {
    self.challenge = challenge
    self.count = count
    self.clientNonce = clientNonce
    self.user = user
    self.key = key
    method = request.method
    uri = request.url.target
    bodyDigits =
      challenge.quality == .integrity ? challenge.algorithm.hash.digits(of: [request.body]) : []
  }

  /// The value of `response` (section 3.4.1).
  package var response: String {
    digest(method: method, bodyDigits, challenge.quality)
  }

  /// The value of `rspauth` for a reply (section 3.5): as `response`, but without a method and over
  /// the reply's body.
  ///
  /// - Parameters:
  ///   - body: The reply's body.
  ///   - quality: What the reply says it protects.
  /// - Returns: The digits that a server which knows HA1 sends.
  package func proof(body: [UInt8], quality: DigestQuality?) -> String {
    digest(method: "", challenge.algorithm.hash.digits(of: [body]), quality)
  }

  private func digest(
    method: String, _ bodyDigits: [UInt8], _ quality: DigestQuality?
  ) -> String {
    let hash = challenge.algorithm.hash
    var request = [Array(method.utf8), Array(uri.utf8)]
    if quality == .integrity { request.append(bodyDigits) }
    var parts = [Array(challenge.nonce.utf8)]
    if let quality {
      parts += [countText, clientNonce, quality.rawValue].map { Array($0.utf8) }
    }
    parts.append(hash.digits(of: request))
    return key.withBytes { hash.digits(of: [$0] + parts) }.text
  }

  /// The count as it is sent and hashed: eight hexadecimal digits.
  private var countText: String {
    Hex.encode((0..<4).map { UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * $0)) })
  }
}

extension DigestAnswer {
  /// The `Authorization` field (section 3.4).
  ///
  /// `algorithm`, `qop`, `nc` and `userhash` are not quoted, all others are: "For historical
  /// reasons", servers read nothing else.
  package var field: HTTPField {
    var parts = [userText, "realm=\(Self.quoted(challenge.realm))"]
    parts.append("nonce=\(Self.quoted(challenge.nonce))")
    parts.append("uri=\(Self.quoted(uri))")
    parts.append("response=\(Self.quoted(response))")
    if let algorithm = challenge.algorithmText { parts.append("algorithm=\(algorithm)") }
    if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
    if let quality = challenge.quality {
      parts.append("qop=\(quality.rawValue), nc=\(countText)")
      parts.append("cnonce=\(Self.quoted(clientNonce))")
    }
    if challenge.hashesUser { parts.append("userhash=true") }
    return HTTPField("Authorization", "Digest \(parts.joined(separator: ", "))")
  }

  /// The user name: hashed where the server wants that (section 3.4.4), else as extended text if it
  /// does not fit into quotes (section 3.4, `username*`; RFC 5987 section 3.2.1).
  ///
  /// A server of RFC 2617, such as Apache's, knows only `username`, and reads it as it is hashed:
  /// UTF-8.
  private var userText: String {
    if challenge.hashesUser {
      let parts = [Array(user.utf8), Array(challenge.realm.utf8)]
      return "username=\(Self.quoted(challenge.algorithm.hash.digits(of: parts).text))"
    }
    guard challenge.takesExtendedName, user.utf8.contains(where: { $0 >= 0x80 }) else {
      return "username=\(Self.quoted(user))"
    }
    let text = PercentEncoding.encode(user.utf8) {
      $0.isLetter || $0.isDigit || "!#$&+-.^_`|~".utf8.contains($0)
    }
    return "username*=UTF-8''\(text.text)"
  }

  /// RFC 9110 section 5.6.4: only the quote and the backslash need a backslash.
  private static func quoted(_ text: String) -> String {
    var quoted: [UInt8] = [.quote]
    for byte in text.utf8 {
      if byte == .quote || byte == .backslash { quoted.append(.backslash) }
      quoted.append(byte)
    }
    return (quoted + [.quote]).text
  }
}

extension DigestAnswer {
  /// Whether a reply comes from somebody who knows HA1 and saw this very request (section 3.5).
  ///
  /// A server need not prove that: an answer without the field is accepted. "The cnonce value and
  /// nc value MUST be the ones for the client request to which this message is the response"; the
  /// server may protect another quality than it was asked for.
  ///
  /// - Parameters:
  ///   - info: What the reply says.
  ///   - reply: The reply.
  /// - Returns: `false` when something that the reply says is not so.
  package func isConfirmed(by info: AuthenticationInfo, _ reply: HTTPReply) -> Bool {
    if let nonce = info.clientNonce, !nonce.utf8.elementsEqual(clientNonce.utf8) { return false }
    if let text = info.count, !text.equalsIgnoringCase(countText) { return false }
    guard let response = info.response else { return true }
    let quality = info.quality.map { DigestQuality(name: $0) } ?? challenge.quality
    // A name that is unknown, or one in a reply to a request without quality.
    guard (quality == nil) == (challenge.quality == nil) else { return false }
    // The hash is of the body as it was sent; what came compressed, or is no longer in memory,
    // cannot be hashed again.
    guard quality != .integrity || !(reply.isCoded || reply.isStreamed) else { return false }
    let proof = proof(body: reply.body, quality: quality)
    return ConstantTime.equal(response.utf8.map(\.lowercase), Array(proof.utf8))
  }
}

extension HTTPReply {
  /// Whether the body went through a content coding on its way (RFC 9110 section 8.4).
  fileprivate var isCoded: Bool {
    !fields.values(of: "Content-Encoding").allSatisfy { $0.equalsIgnoringCase("identity") }
  }
}
