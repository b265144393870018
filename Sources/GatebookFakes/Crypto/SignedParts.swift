/// A JWS (RFC 7515) in its three parts, as the fake reads it.
///
/// The parts may be base64url without padding, as the standard wants it, or with it.
struct SignedParts {
  let header: PlainJSON
  let payload: PlainJSON
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Reads a JWS from its separate parts; `nil` if one of them is wrong.
  init?(header: String, payload: String, signature: String) {
    guard let headerBytes = Base64Text.decodeURL(header),
      let payloadBytes = Base64Text.decodeURL(payload),
      let signatureBytes = Base64Text.decodeURL(signature),
      let head = PlainJSON.read(headerBytes), case .object = head,
      let load = PlainJSON.read(payloadBytes), case .object = load
    else { return nil }
    self.header = head
    self.payload = load
    self.signature = signatureBytes
    // RFC 7515 section 5.2: the signature covers the encoded texts, as they came.
    signed = Array("\(header).\(payload)".utf8)
  }

  /// Reads the compact form (RFC 7515 section 7.1).
  init?(compact: String) {
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    self.init(header: parts[0], payload: parts[1], signature: parts[2])
  }

  /// Whether the parts are signed by the owner of a key, with its algorithm.
  func isSigned(by key: RegisteredKey) -> Bool {
    header["alg"]?.string == key.algorithm && key.verifies(signature, of: signed)
  }
}
