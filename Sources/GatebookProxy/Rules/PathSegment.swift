/// One segment of a path, as servers understand it.
package enum PathSegment {
  /// Whether every server takes each segment of a path for the same.
  ///
  /// Some servers decode twice, cut off what follows a `;`, or trim blanks. So a server can take
  /// another path than the one that was compared. A segment is refused if it holds more than a name
  /// once it is decoded.
  ///
  /// - Parameter path: A path as it is sent.
  /// - Returns: Whether it has no other segments.
  package static func areUnambiguous(in path: String) -> Bool {
    path.utf8.split(separator: 0x2F).allSatisfy { isUnambiguous($0) }
  }

  private static func isUnambiguous(_ segment: Substring.UTF8View) -> Bool {
    // Bytes that are not UTF-8 may be a longer form of a dot or a slash.
    guard let bytes = decoded(segment), let text = String(validating: bytes, as: UTF8.self),
      !bytes.contains(where: { special.contains($0) || $0 < 0x20 || $0 == 0x7F })
    else { return false }
    let name = text.unicodeScalars.filter { !$0.properties.isWhitespace }
    return name.isEmpty || !name.allSatisfy { $0 == "." }
  }

  private static let special = Set("/\\;%".utf8)

  /// Decodes a segment once (RFC 3986 section 2.1); `nil` where a `%` begins nothing.
  private static func decoded(_ segment: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = segment
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
