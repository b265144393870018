/// Finds where a request's header ends, looking at each byte once, and refuses at the first byte
/// that no valid header has.
///
/// Stricter than a server must be: a line ends with CR and LF and with nothing else, because
/// programs that disagree on where a line ends disagree on where a request ends (RFC 9112 section
/// 11.2).
package struct HeadScan: Sendable {
  /// The most bytes of the request line, and of each other line.
  package static let longestLine = 8 << 10
  /// The most bytes of the whole header.
  package static let longestHead = 64 << 10
  /// The most fields.
  package static let mostFields = 100

  private var place = 0
  private var lineStart = 0
  private var lines = 0
  private var hasReturn = false

  package init() {}

  /// Looks at the bytes that came.
  ///
  /// - Parameter bytes: All bytes since the request began.
  /// - Returns: How many of them the header has, its empty line included; `nil` when more must
  ///   come.
  /// - Throws: What is wrong with it.
  package mutating func next(_ bytes: [UInt8]) throws(ProxyRefusal) -> Int? {
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard place <= Self.longestHead else { throw .headerTooLong }
      if hasReturn {
        guard byte == 0x0A else { throw .malformed }
        hasReturn = false
        let length = place - lineStart - 2
        lineStart = place
        if length == 0 {
          // "A server SHOULD ignore at least one empty line received prior to the request-line"
          // (RFC 9112 section 2.2): one, and not more.
          guard lines == 0 else { return place }
          guard place == 2 else { throw .malformed }
          continue
        }
        lines += 1
        // The request line is none of the fields.
        guard lines <= Self.mostFields + 1 else { throw .headerTooLong }
        continue
      }
      guard byte != 0x0D else {
        hasReturn = true
        continue
      }
      guard byte == 0x09 || (byte >= 0x20 && byte != 0x7F) else { throw .malformed }
      guard place - lineStart <= Self.longestLine else {
        throw lines == 0 ? .targetTooLong : .headerTooLong
      }
    }
    return nil
  }

  /// Whether something of a request has come.
  package var hasBegun: Bool { place > 0 }
}
