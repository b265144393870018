/// Why an RSA key was not taken, or did not sign.
package enum RSAKeyRefusal: Error, Hashable, Sendable {
  /// The key is protected by a passphrase; nobody is asked for it.
  case encrypted
  /// The bytes are no private key in PKCS#8 or PKCS#1.
  case unreadable
  /// The key is not one for RSA signatures by PKCS#1 v1.5.
  case otherAlgorithm
  /// The modulus is shorter than 1,024 or longer than 8,192 bits.
  case size
  /// This machine signs with no such hash, such as SHA-1 where its policy forbids it.
  case hash
}
