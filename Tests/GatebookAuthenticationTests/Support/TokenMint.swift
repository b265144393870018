import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// An issuer with a key of its own, whose tokens are put together as text.
///
/// It signs with Ed25519, which has the vectors of RFC 8032 for itself.
struct TokenMint {
  static let header = #"{"alg":"EdDSA","kid":"mint"}"#

  private let key: SigningKey

  init() throws {
    key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)))
  }

  var keys: JSONWebKeySet { JSONWebKeySet([JSONWebKey(.ed25519(key.publicKey), id: "mint")]) }

  /// A token with this content, byte for byte.
  func token(_ content: String, header: String = TokenMint.header) -> String {
    sign(Base64URL.encode(header.utf8) + "." + Base64URL.encode(content.utf8))
  }

  /// A token with the usual claims, some changed or, with `nil`, left out; the values are JSON.
  func idToken(_ changes: [String: String?] = [:]) -> String {
    var claims = [
      "iss": #""https://issuer.example""#, "sub": #""248289761001""#, "aud": #""gatebook""#,
      "exp": "1700003600", "iat": "1700000000",
    ]
    for (name, value) in changes { claims[name] = value }
    return token("{" + claims.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
  }

  /// A text followed by its signature.
  func sign(_ signed: String) -> String {
    signed + "." + Base64URL.encode(key.sign(Array(signed.utf8)))
  }
}
