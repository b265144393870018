/// The request line and the header of one request (RFC 9112 sections 3 and 5).
struct RequestHead: Sendable {
  var method: String
  var target: String
  var isHTTP10: Bool
  var fields: LoopbackFields

  /// Reads the lines up to the empty one; `nil` when they are not HTTP/1.
  init?(_ bytes: some Sequence<UInt8>) {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let line = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard line.count == 3, !line[0].isEmpty, !line[1].isEmpty,
      line[2] == "HTTP/1.1" || line[2] == "HTTP/1.0"
    else { return nil }
    method = String(line[0])
    target = String(line[1])
    isHTTP10 = line[2] == "HTTP/1.0"
    fields = [:]
    for line in lines.dropFirst() {
      // RFC 9112 section 5.1: no blank between the name and the colon; folding is obsolete.
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        !line[..<colon].contains(where: { $0 == " " || $0 == "\t" })
      else { return nil }
      fields.append(String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
    }
  }

  /// Where a header ends, before its empty line; `nil` for bytes without its end.
  static func end(in bytes: [UInt8], from start: Int = 0) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 4 <= bytes.count {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D,
          bytes[index + 3] == 0x0A
        {
          return index
        }
        index += 1
      }
      return nil
    }
  }

  /// The announced length of the body, 0 without one; `nil` when it cannot be read.
  var bodyLength: Int? {
    let values = Set(fields.values(of: "Content-Length"))
    guard let value = values.first else { return 0 }
    guard values.count == 1, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(value)
  }

  /// Whether the client wants the connection to end after the answer.
  var wantsClose: Bool {
    let options = fields.values(of: "Connection").joined(separator: ",").lowercased()
    return options.contains("close") || (isHTTP10 && !options.contains("keep-alive"))
  }

  private static func trimmed(_ text: Substring) -> String {
    let blank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: blank)
    guard let last = start.lastIndex(where: { !blank($0) }) else { return "" }
    return String(start[...last])
  }
}
