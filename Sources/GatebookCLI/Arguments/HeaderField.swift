internal import Gatebook

/// Reads the header fields of a command line.
enum HeaderField {
  /// What authorises a request is Gatebook's affair, and so is the message's framing.
  private static let reserved: Set<String> = [
    "authorization", "connection", "content-length", "cookie", "host", "proxy-authorization", "te",
    "transfer-encoding", "upgrade",
  ]

  /// Reads `Name: value`.
  ///
  /// - Parameters:
  ///   - text: The field.
  ///   - option: Its option.
  /// - Returns: The field.
  /// - Throws: `UsageError` for anything else, without repeating it.
  static func read(_ text: String, _ option: String = "-H") throws(UsageError) -> HTTPField {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw malformed(option)
    }
    let name = String(text[..<colon])
    let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    // RFC 9110 section 5.5: field values have no control characters but tabs.
    guard name.utf8.allSatisfy(isToken),
      value.utf8.allSatisfy({ $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) })
    else { throw malformed(option) }
    guard !reserved.contains(name.lowercased()) else {
      throw UsageError(
        "`\(option)` cannot set `\(name)`: Gatebook sets that field.",
        remedy: "Leave it out.")
    }
    return HTTPField(name, String(value))
  }

  /// Whether a token may contain a byte (RFC 9110 section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func malformed(_ option: String) -> UsageError {
    UsageError(
      "The value of `\(option)` is not a header field.", remedy: "Write `\(option) 'Name: value'`.")
  }
}
