extension HTTPReply {
  /// Whether the body is an HTML document, whatever the answer calls it: no endpoint for programs
  /// answers so.
  ///
  /// Judged by its beginning (WHATWG HTML section 13.1): an empty body or a plain word that is labelled
  /// `text/html`, as some servers do, is none.
  package var isHTMLDocument: Bool {
    var rest = body[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
      guard let prologue = Self.prologues.first(where: { rest.starts(with: $0.begin.utf8) }),
        let end = Self.end(of: prologue.end, in: rest)
      else { break }
      rest = rest[end...]
    }
    let head = Array(rest.prefix(16)).lowercaseText
    return Self.beginnings.contains { head.hasPrefix($0) }
  }

  /// What may stand before the document: comments, and the declaration of XHTML.
  private static let prologues = [(begin: "<!--", end: "-->"), (begin: "<?xml", end: "?>")]
  private static let beginnings = ["<!doctype html", "<html", "<head", "<body"]

  private static func end(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let mark = Array(text.utf8)
    return bytes.indices.dropLast(mark.count - 1)
      .first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }.map { $0 + mark.count }
  }
}
