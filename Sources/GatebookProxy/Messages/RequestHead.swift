package import Gatebook

/// The request line and the fields of a request, read strictly (RFC 9112 sections 3 and 5).
package struct RequestHead: Sendable, Equatable {
  /// The method, as it was sent.
  package let method: String
  /// The target, as it was sent.
  package let target: String
  /// The fields in their order.
  package let fields: [HTTPField]
  /// Whether it is of HTTP/1.1 and not of HTTP/1.0.
  package let isCurrent: Bool

  /// Reads a header that ``HeadScan`` has found.
  ///
  /// - Parameter bytes: The bytes up to the empty line, that included.
  /// - Throws: What is wrong with it.
  package init(_ bytes: ArraySlice<UInt8>) throws(ProxyRefusal) {
    var lines = Self.lines(of: bytes)
    if lines.first?.isEmpty == true { lines.removeFirst() }
    guard let first = lines.first else { throw .malformed }
    let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty && !$0.contains(0x09) }) else {
      throw .malformed
    }
    method = String(decoding: words[0], as: UTF8.self)
    guard method.isToken else { throw .malformed }
    // The grammar of a target is ASCII (RFC 3986 section 2).
    guard words[1].allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
    target = String(decoding: words[1], as: UTF8.self)
    switch String(decoding: words[2], as: UTF8.self) {
    case "HTTP/1.1": isCurrent = true
    case "HTTP/1.0": isCurrent = false
    case let version where version.hasPrefix("HTTP/"): throw .version
    default: throw .malformed
    }
    var fields: [HTTPField] = []
    for line in lines.dropFirst() where !line.isEmpty { fields.append(try Self.field(line)) }
    self.fields = fields
  }

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.dropLast() }
  }

  /// Reads one field; a line that continues the one before is refused (RFC 9112 section 5.2).
  package static func field(_ line: ArraySlice<UInt8>) throws(ProxyRefusal) -> HTTPField {
    guard let colon = line.firstIndex(of: 0x3A) else { throw .malformed }
    let name = line[..<colon]
    // A blank at the beginning, or before the colon, is no character of a token.
    guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else { throw .malformed }
    var value = line[(colon + 1)...]
    while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    // Other encodings would be sent as other bytes than came.
    guard let text = String(validating: value, as: UTF8.self), text.isFieldValue else {
      throw .malformed
    }
    return HTTPField(String(decoding: name, as: UTF8.self), text)
  }

  /// The words of a list that the fields of a name hold, in small letters.
  package func list(_ name: String) -> [String] { Self.list(fields.values(of: name)) }

  /// The words of lists, in small letters (RFC 9110 section 5.6.1).
  static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.utf8.split(separator: 0x2C) }.map { word in
      String(decoding: word.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
    }
    .filter { !$0.isEmpty }
  }

  /// Whether the program wants the connection for more than this request.
  package var keepsConnection: Bool { isCurrent && !list("Connection").contains("close") }

  /// Whether the program waits to be asked for the body (RFC 9110 section 10.1.1).
  package var expectsContinue: Bool {
    isCurrent && fields.values(of: "Expect").contains { $0.lowercased() == "100-continue" }
  }
}
