/// A private key on the curve P-256, which makes ECDSA signatures with SHA-256 (ES256).
package struct P256Key: Sendable {
  /// The number of bytes in a signature.
  package static let signatureCount = 64

  private let key: PrivateKeyHandle

  /// The part that verifies this key's signatures.
  package let publicKey: ECPublicKey

  /// Makes a fresh key.
  package static func generate() -> P256Key {
    guard let key = P256Key(fitting: .generateP256()) else {
      preconditionFailure("libcrypto made a key of another curve.")
    }
    return key
  }

  /// Reads the first private key of a PEM text, in PKCS#8 or SEC 1.
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
    guard let read = P256Key(fitting: key) else { throw .otherAlgorithm }
    self = read
  }

  private init?(fitting key: PrivateKeyHandle) {
    guard key.isP256 else { return nil }
    let (x, y) = key.coordinates(count: EllipticCurve.p256.coordinateCount)
    guard let publicKey = ECPublicKey(curve: .p256, x: x, y: y) else { return nil }
    self.key = key
    self.publicKey = publicKey
  }

  /// The unencrypted PrivateKeyInfo in DER (RFC 5208 section 5), for encrypted storage.
  package var pkcs8: Secret { key.pkcs8() }

  /// The 64 bytes `r || s` of a signature (RFC 7518 section 3.4); others at every call.
  ///
  /// - Throws: ``PrivateKeyRefusal/hash`` where libcrypto does not sign with this key.
  package func sign(_ message: [UInt8]) throws(PrivateKeyRefusal) -> [UInt8] {
    guard let signature = key.sign(message, with: .sha256) else { throw .hash }
    return ECDSASignature.raw(signature, on: .p256)
  }
}
