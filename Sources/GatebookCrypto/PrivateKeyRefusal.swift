/// Why a private key was not taken, or did not sign.
package enum PrivateKeyRefusal: Error, Hashable, Sendable {
  /// The key is protected by a passphrase; nobody is asked for it.
  case encrypted
  /// The bytes are no private key in PKCS#8 or in its algorithm's own format.
  case unreadable
  /// The key is one for other signatures: not RSA by PKCS#1 v1.5, or not on the curve P-256.
  case otherAlgorithm
  /// The modulus is shorter or longer than what is taken.
  case size
  /// This machine signs with no such hash, such as SHA-1 where its policy forbids it.
  case hash
}
