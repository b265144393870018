internal import Gatebook

/// A key pair that a fake identity server signs with, or that its application does.
struct FakeIdentityKey: Sendable {
  /// The server's.
  static let server = FakeIdentityKey()
  /// The application's.
  static let client = FakeIdentityKey()

  private let key = RSAKey.generate()

  /// The server's public key as it is published (RFC 7517 section 4, RFC 7518 section 6.3.1).
  ///
  /// - Parameter id: Its name.
  /// - Returns: The key.
  func jwk(_ id: String = "fake-1") -> PlainJSON {
    .named([
      "kty": .string("RSA"), "kid": .string(id), "use": .string("sig"),
      "alg": .string("RS256"), "n": .string(Base64Text.encodeForURL(key.publicKey.modulus)),
      "e": .string(Base64Text.encodeForURL(key.publicKey.exponent)),
    ])
  }

  /// The private key in PEM (RFC 7468 section 10).
  var pem: String {
    let text = Array(key.pkcs8.withBytes { Base64Text.encode($0) })
    let lines = stride(from: 0, to: text.count, by: 64).map { start in
      String(text[start..<min(start + 64, text.count)])
    }
    return
      "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"
  }

  /// Claims as a token that this key has signed (RFC 7515 section 7.1).
  func signed(_ claims: PlainJSON, _ id: String) -> String {
    let header = PlainJSON.named(["alg": .string("RS256"), "kid": .string(id)])
    let message = [header, claims].map { Base64Text.encodeForURL(Array($0.text.utf8)) }
      .joined(separator: ".")
    guard let signature = try? key.sign(Array(message.utf8), with: .sha256) else {
      preconditionFailure("libcrypto could not sign.")
    }
    return "\(message).\(Base64Text.encodeForURL(signature))"
  }
}
