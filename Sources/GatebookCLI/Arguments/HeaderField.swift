internal import Gatebook
internal import GatebookCurl

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
    let value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    guard name.isToken, value.isFieldValue else { throw malformed(option) }
    guard !reserved.contains(name.lowercased()) else {
      throw UsageError(
        "`\(option)` cannot set `\(name)`: Gatebook sets that field.",
        remedy: "Leave it out.")
    }
    return HTTPField(name, value)
  }

  private static func malformed(_ option: String) -> UsageError {
    UsageError(
      "The value of `\(option)` is not a header field.", remedy: "Write `\(option) 'Name: value'`.")
  }
}
