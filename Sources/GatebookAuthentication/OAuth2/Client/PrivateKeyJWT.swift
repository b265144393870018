package import GatebookEvents

/// A client's signed word that it is itself: `private_key_jwt` (RFC 7523 section 2.2, OpenID
/// Connect Core 1.0 section 9).
///
/// Good for one request: every sending makes a new one.
package struct PrivateKeyJWT: Sendable {
  /// The value of `client_assertion_type`.
  package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// How long one is good for.
  package static let lifetime = Duration.seconds(60)

  /// The compact form.
  package let text: String

  /// Signs an assertion.
  ///
  /// - Parameters:
  ///   - clientID: `iss` and `sub`.
  ///   - audience: `aud`: by setting, or the URL of the token endpoint.
  ///   - key: The client's private key.
  ///   - keyID: `kid` under which the server knows its public part; `nil` if it knows one alone.
  ///   - moment: Now, by our clock.
  ///   - offset: The server's clock less ours.
  ///   - random: At least 16 fresh random bytes, for `jti`.
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  package init(
    of clientID: String, for audience: String, key: JWSKey, keyID: String?, at moment: Moment,
    offset: Duration = .zero, random: [UInt8]
  ) throws(GatebookError) {
    let issued = (moment.wall + offset).rawValue / 1_000_000
    let claims: Facts = [
      "aud": .text(audience), "exp": .integer(issued + Self.lifetime.components.seconds),
      "iat": .integer(issued), "iss": .text(clientID),
      "jti": .text(Base64URL.encode(random.prefix(16))), "sub": .text(clientID),
    ]
    text = try key.sign(claims, header: ["kid": .optional(keyID), "typ": "JWT"])
  }

  /// The two parameters of a form that carry it.
  package var parameters: [(name: String, value: String)] {
    [("client_assertion", text), ("client_assertion_type", Self.type)]
  }
}
