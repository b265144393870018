extension HTTPReply {
  /// Whether it is a web page: what is between here and a server answers so, a server's endpoints rarely do.
  ///
  /// Judged by content, for labels may be wrong: JSON that is labelled as HTML is none.
  package var isPage: Bool {
    var text = body.prefix(1024).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // A byte order mark of UTF-8.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let begin = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
    return begin.hasPrefix("<!doctype html") || begin.hasPrefix("<html")
      || (begin.hasPrefix("<")
        && fields.first("Content-Type")?.lowercased().hasPrefix("text/html") == true)
  }
}
