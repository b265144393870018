internal import GatebookCrypto
internal import GatebookEvents

/// The proof that whoever redeems a code is who asked for it (RFC 7636).
///
/// Always S256: `plain` protects nothing when the request can be read.
struct PKCE: Sendable {
  /// 43 characters of base64url: 32 random bytes (section 4.1); secret until the code is redeemed.
  let verifier: String

  /// Makes a verifier.
  ///
  /// - Parameter random: At least 32 fresh random bytes.
  init(random: [UInt8]) {
    verifier = Base64URL.encode(random.prefix(32))
  }

  init(verifier: String) {
    self.verifier = verifier
  }

  /// `BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))` (section 4.2).
  var challenge: String { Base64URL.encode(SHA256().hash(Array(verifier.utf8))) }
}
