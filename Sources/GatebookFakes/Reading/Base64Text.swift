internal import FoundationEssentials
internal import GatebookCrypto

/// Base64 as the loopback servers read and write it, independent of the code under test.
enum Base64Text {
  /// Decodes the alphabet of URLs, with padding or without (RFC 4648 section 5), or the usual one
  /// with padding; `nil` for anything else.
  static func decodeURL(_ text: String) -> [UInt8]? {
    guard !text.contains(where: { "+/".contains($0) }) else { return decode(text) }
    let usual = text.replacing("-", with: "+").replacing("_", with: "/")
    let missing = text.contains("=") ? 0 : (4 - text.utf8.count % 4) % 4
    return decode(usual + String(repeating: "=", count: missing))
  }

  /// Decodes with padding (RFC 4648 section 4); `nil` for anything else.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    // Foundation alone would take wrong padding.
    guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else {
      return nil
    }
    return Array(data)
  }

  /// Encodes with padding (RFC 4648 section 4).
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Encodes for URLs, without padding (RFC 4648 section 5).
  static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// What proves a verifier: BASE64URL(SHA256(ASCII(code_verifier))) (RFC 7636 section 4.6).
  static func challenge(_ verifier: String) -> String {
    encodeForURL(HashFunction.sha256(verifier))
  }

  /// The textual encoding of RFC 7468 section 2: lines of 64 characters between two marks.
  static func armored(_ label: String, _ bytes: [UInt8]) -> String {
    let lines = Data(bytes).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
  }
}
