/// A private RSA key that makes signatures by PKCS#1 v1.5 (RFC 8017 section 8.2).
package struct RSAKey: Sendable {
  /// The number of bits in a key that is made here (NIST SP 800-131A: 2048 at least).
  package static let generatedBits = 2048

  private let key: PrivateKeyHandle

  /// The part that verifies this key's signatures.
  package let publicKey: RSAPublicKey

  /// Makes a fresh key of 2048 bits; takes some tenths of a second.
  package static func generate() -> RSAKey {
    guard let key = RSAKey(fitting: .generate(bits: generatedBits)) else {
      preconditionFailure("libcrypto made a key of another size.")
    }
    return key
  }

  /// Reads the first private key of a PEM text, in PKCS#8 or PKCS#1.
  ///
  /// Keys of 1,024 bits are taken: services of OAuth 1.0a still hand them out.
  ///
  /// - Parameter pem: The text with its `BEGIN` and `END` lines, at most 64 KiB.
  /// - Throws: The reason; a passphrase is never asked for.
  package init(pem: Secret) throws(PrivateKeyRefusal) {
    try self.init(read: .read(pem: pem))
  }

  /// Takes a key over from ``pkcs8``.
  package init(pkcs8: Secret) throws(PrivateKeyRefusal) {
    try self.init(read: .read(pkcs8: pkcs8))
  }

  private init(read key: PrivateKeyHandle) throws(PrivateKeyRefusal) {
    guard key.isRSA else { throw .otherAlgorithm }
    guard let read = RSAKey(fitting: key) else { throw .size }
    self = read
  }

  private init?(fitting key: PrivateKeyHandle) {
    let (modulus, exponent) = key.numbers()
    guard let publicKey = RSAPublicKey(modulus: modulus, exponent: exponent) else { return nil }
    self.key = key
    self.publicKey = publicKey
  }

  /// The unencrypted PrivateKeyInfo in DER (RFC 5208 section 5), for encrypted storage.
  package var pkcs8: Secret { key.pkcs8() }

  /// The signature, as long as the modulus; by PKCS#1 v1.5 the same message always gives the same
  /// bytes.
  ///
  /// - Parameters:
  ///   - message: What is hashed and signed.
  ///   - hash: `.sha256` for RS256; `.sha1` only for RSA-SHA1 (RFC 5849 section 3.4.3).
  ///   - padding: How the hash is padded; PKCS#1 v1.5 unless said.
  /// - Returns: The bytes of the signature.
  /// - Throws: ``PrivateKeyRefusal/hash`` where the machine's policy forbids the hash.
  package func sign(
    _ message: [UInt8], with hash: HashFunction, padding: RSAPadding = .pkcs1
  ) throws(PrivateKeyRefusal) -> [UInt8] {
    guard let signature = key.sign(message, with: hash, padding: padding) else { throw .hash }
    return signature
  }
}
