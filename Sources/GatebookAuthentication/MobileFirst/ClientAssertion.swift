internal import GatebookEvents

/// A client's signed word that it is itself (section 6.3).
///
/// Unlike RFC 7523, `iat` and `exp` are milliseconds, and `aud` is the route.
struct ClientAssertion {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// How long one is good for.
  static let lifetimeInMilliseconds: Int64 = 60_000

  /// The compact form.
  let text: String

  /// Signs an assertion.
  ///
  /// - Parameters:
  ///   - registration: Who signs; its offset makes our time the server's.
  ///   - code: `jti` of a token request, which also gets an audience; `nil` for a logout.
  ///   - moment: Now, by our clock.
  /// - Throws: `configuration.invalid` where this machine signs with no SHA-256.
  init(
    of registration: ClientRegistration, code: String?, at moment: Moment
  ) throws(GatebookError) {
    let issued = (moment.wall + .milliseconds(registration.offset)).rawValue / 1000
    let content: Facts = [
      "aud": code == nil ? .null : "az/v1/token",
      "exp": .integer(issued + Self.lifetimeInMilliseconds),
      "iat": .integer(issued), "iss": .text(registration.app.issuer),
      "jti": code.map { .text($0) } ?? .null, "sub": .text(registration.clientID),
    ]
    text = try SignedObject(content, key: registration.key, keyID: registration.clientID).compact
  }

  /// The two parameters of a form that carry it.
  var parameters: [(name: String, value: String)] {
    [("client_assertion", text), ("client_assertion_type", Self.type)]
  }
}
