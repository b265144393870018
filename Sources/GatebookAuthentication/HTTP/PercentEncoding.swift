/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Whether two hexadecimal digits follow each `%`.
  static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.allSatisfy { bytes[$0] != .percent || octet(at: $0, in: bytes) != nil }
  }

  /// The byte that a `%` here and its two digits stand for; `nil` for anything else.
  static func octet(at index: Int, in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes[index] == .percent, index + 2 < bytes.endIndex,
      let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
    else { return nil }
    return high << 4 | low
  }

  /// Appends `%` and the two capital digits of a byte.
  static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text.append(.percent)
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }

  /// The bytes with `%` and two capital digits for each one that may not stay.
  ///
  /// - Parameters:
  ///   - bytes: What is encoded.
  ///   - stays: Which bytes stay as they are; the unreserved ones unless given.
  /// - Returns: ASCII bytes.
  static func encode(
    _ bytes: some Sequence<UInt8>, keeping stays: (UInt8) -> Bool = { $0.isUnreserved }
  ) -> [UInt8] {
    var text: [UInt8] = []
    for byte in bytes {
      if stays(byte) { text.append(byte) } else { append(byte, to: &text) }
    }
    return text
  }

  /// A path of which nothing is encoded yet, as URLs write it: its slashes stay.
  package static func path(_ text: some StringProtocol) -> String {
    encode(text.utf8) { $0.isUnreserved || $0 == .slash }.text
  }

  /// The text that is encoded; `nil` for a broken encoding and for what is not UTF-8 then.
  package static func decoded(_ text: some StringProtocol) -> String? {
    let bytes = Array(text.utf8)[...]
    guard isValid(bytes) else { return nil }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = octet(at: index, in: bytes)
      result.append(byte ?? bytes[index])
      index += byte == nil ? 1 : 3
    }
    return String(validating: result, as: UTF8.self)
  }

  /// The text with unreserved characters decoded and all digits in capitals, so that equal paths
  /// compare equal (RFC 3986 section 6.2.2).
  static func normalized(_ text: String) -> String {
    let bytes = Array(text.utf8)[...]
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard let byte = octet(at: index, in: bytes) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if byte.isUnreserved { result.append(byte) } else { append(byte, to: &result) }
      index += 3
    }
    return result.text
  }
}
