/// Bodies of the type `application/x-www-form-urlencoded`.
package enum FormEncoding {
  /// The field that announces such a body.
  package static let contentType = HTTPField("Content-Type", "application/x-www-form-urlencoded")

  /// The body for names and values in their order.
  ///
  /// Letters, digits and `* - . _` stay, everything else is percent-encoded UTF-8; a blank is `%20`,
  /// which every server reads, not `+`.
  package static func encode(_ pairs: [(name: String, value: String)]) -> [UInt8] {
    var body: [UInt8] = []
    for (index, pair) in pairs.enumerated() {
      if index > 0 { body.append(UInt8(ascii: "&")) }
      append(pair.name, to: &body)
      body.append(.equals)
      append(pair.value, to: &body)
    }
    return body
  }

  private static func append(_ text: String, to body: inout [UInt8]) {
    for byte in text.utf8 {
      if byte.isLetter || byte.isDigit || "*-._".utf8.contains(byte) {
        body.append(byte)
      } else {
        PercentEncoding.append(byte, to: &body)
      }
    }
  }
}
