/// The first line and the header of one message (RFC 9112 sections 2.1 and 5).
struct MessageHead: Sendable {
  /// The first line, taken apart at its blanks.
  let line: [String]
  let fields: LoopbackFields

  /// Reads the lines up to the empty one; `nil` when they are no fields.
  init?(_ bytes: some Sequence<UInt8>) {
    let lines = String(decoding: Array(bytes), as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    var fields: LoopbackFields = [:]
    for line in lines.dropFirst() {
      // RFC 9112 section 5.1: no blank between the name and the colon; folding is obsolete.
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        !line[..<colon].contains(where: { $0 == " " || $0 == "\t" })
      else { return nil }
      fields.append(String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
    }
    line = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    self.fields = fields
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

  private static func trimmed(_ text: Substring) -> String {
    let blank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: blank)
    guard let last = start.lastIndex(where: { !blank($0) }) else { return "" }
    return String(start[...last])
  }
}

/// The request line and the header of one request (RFC 9112 sections 3 and 5).
struct RequestHead: Sendable {
  let method: String
  let target: String
  let isHTTP10: Bool
  let fields: LoopbackFields

  /// Reads the lines up to the empty one; `nil` when they are not HTTP/1.
  init?(_ bytes: some Sequence<UInt8>) {
    guard let head = MessageHead(bytes), head.line.count == 3, !head.line[0].isEmpty,
      !head.line[1].isEmpty, ["HTTP/1.1", "HTTP/1.0"].contains(head.line[2])
    else { return nil }
    method = head.line[0]
    target = head.line[1]
    isHTTP10 = head.line[2] == "HTTP/1.0"
    fields = head.fields
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
}
