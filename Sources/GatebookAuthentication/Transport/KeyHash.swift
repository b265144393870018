internal import GatebookCrypto
public import GatebookEvents

/// The hash of a public key: the SHA-256 of its SubjectPublicKeyInfo (RFC 5280 section 4.1).
///
/// The text form is `sha256/` and 44 characters of Base64 with padding, after RFC 7469 section 2.4.
/// A certificate that is renewed with the same key keeps it.
public struct KeyHash: Hashable, Sendable, CustomStringConvertible {
  private static let prefix = "sha256/"

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Takes the 32 bytes of a hash; `nil` for any other number.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Hashes a SubjectPublicKeyInfo in DER.
  package init(of publicKeyInfo: [UInt8]) {
    bytes = SHA256().hash(publicKeyInfo)
  }

  /// Reads the text form, strictly: no blanks, no hexadecimal digits, no other alphabet.
  ///
  /// - Parameter text: Such as `sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`.
  /// - Throws: `configuration.invalid` for anything else.
  public init(_ text: String) throws(GatebookError) {
    guard text.utf8.starts(with: Self.prefix.utf8),
      let hash = Base64.decode(Substring(text.utf8.dropFirst(Self.prefix.utf8.count))).flatMap(
        Self.init(bytes:))
    else {
      throw GatebookError(
        .configurationInvalid,
        "The hash of a key must be `sha256/` and 44 characters of Base64.",
        remedy:
          "Write it with its padding, such as sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=.")
    }
    self = hash
  }

  /// The text form.
  public var description: String { Self.prefix + Base64.encode(bytes) }
}
