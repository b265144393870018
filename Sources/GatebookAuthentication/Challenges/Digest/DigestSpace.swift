/// The URLs that a Digest answer may go to without having asked (RFC 7616 section 3.3, `domain`).
package struct DigestSpace: Sendable {
  private let server: Origin
  /// `nil` for the whole server.
  private let pages: [HTTPURL]?

  /// The space of a challenge.
  ///
  /// "If this parameter is omitted or its value is empty, the client SHOULD assume that the
  /// protection space consists of all URIs on the responding server." What names another server is
  /// ignored: the session's answers stay with the server that asked for them.
  package init(_ challenge: DigestChallenge, at server: Origin) {
    self.server = server
    pages =
      challenge.domain.isEmpty
      ? nil
      : challenge.domain.compactMap { Self.page($0, at: server) }
  }

  /// One entry; `nil` for what is no URL of the server.
  ///
  /// "If a URI is a path-absolute reference, it is relative to the canonical root URL of the
  /// server."
  private static func page(_ text: String, at server: Origin) -> HTTPURL? {
    let isPath = text.utf8.first == .slash && !text.utf8.starts(with: "//".utf8)
    guard let page = HTTPURL(isPath ? server.description + text : text), page.origin == server
    else { return nil }
    return page
  }

  /// Whether a URL belongs to the space.
  ///
  /// "Any URI that has a URI in this list as a prefix (after both have been made absolute) MAY be
  /// assumed to be in the same protection space": assumed only where the prefix ends at a border of
  /// the path, so that `/mail` says nothing about `/mailman`.
  package func contains(_ url: HTTPURL) -> Bool {
    guard url.origin == server else { return false }
    guard let pages else { return true }
    let target = Array(PercentEncoding.normalized(url.target).utf8)
    return pages.contains { page in
      let prefix = Array(PercentEncoding.normalized(page.target).utf8)
      guard target.starts(with: prefix) else { return false }
      let border = target.dropFirst(prefix.count).first
      return prefix.last == .slash || border.map { "/?;".utf8.contains($0) } ?? true
    }
  }
}
