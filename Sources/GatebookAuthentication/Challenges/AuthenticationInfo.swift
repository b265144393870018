/// What a server says about an authentication that succeeded (RFC 7615 section 3, RFC 7616 section
/// 3.5).
package struct AuthenticationInfo: Sendable {
  /// The nonce to use from now on.
  package let nextNonce: String?
  /// How the reply is protected; `nil` as in the request.
  let quality: String?
  /// The proof that the server knows the password too.
  let response: String?
  /// The nonce that the client had made for the request.
  let clientNonce: String?
  /// The count that the request had.
  let count: String?

  /// Reads the `Authentication-Info` lines of a reply.
  ///
  /// It is `nil` for anything but a list of parameters, for a list with a name twice, and for more
  /// bytes than a list of challenges may have.
  ///
  /// The grammar is `#auth-param`; values are taken with and without quotes.
  package init?(_ values: [String]) {
    guard values.reduce(0, { $0 + $1.utf8.count }) <= ChallengeList.maximumSize else { return nil }
    var parameters: [String: String] = [:]
    for value in values {
      for piece in HeaderPieces.of(value) where !piece.trimmed.isEmpty {
        guard let parameter = AuthenticationChallenge.Parameter(piece.trimmed),
          parameters.updateValue(parameter.value, forKey: parameter.name) == nil
        else { return nil }
      }
    }
    nextNonce = parameters["nextnonce"]
    quality = parameters["qop"]
    response = parameters["rspauth"]
    clientNonce = parameters["cnonce"]
    count = parameters["nc"]
  }
}
