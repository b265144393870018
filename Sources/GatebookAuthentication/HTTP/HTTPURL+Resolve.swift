extension HTTPURL {
  /// Resolves a reference in an answer to this URL, such as the value of `Location` (RFC 3986 section 5.2.2).
  ///
  /// - Parameter reference: An absolute URL, `//host/path`, a path, a query or nothing at all.
  /// - Returns: The absolute URL; `nil` for a URL that `init` rejects.
  public func resolve(_ reference: String) -> HTTPURL? {
    let bytes = Array(reference.utf8)[...]
    // "A path segment that contains a colon character cannot be used as the first segment of a
    // relative-path reference, as it would be mistaken for a scheme name" (section 4.2).
    let first = bytes.prefix { !"/?#".utf8.contains($0) }
    guard !first.contains(.colon) else { return HTTPURL(reference) }
    if bytes.starts(with: "//".utf8) { return HTTPURL("\(origin.scheme):\(reference)") }
    guard let tail = RelativeTail(bytes) else { return nil }
    switch tail.path.first {
    case nil:
      guard let query = tail.query else { return self }
      return HTTPURL(origin: origin, path: path.utf8, query: query)
    case UInt8.slash: return HTTPURL(origin: origin, path: tail.path, query: tail.query)
    default: return HTTPURL(origin: origin, path: folder + tail.path, query: tail.query)
    }
  }

  /// The path up to and including its last slash (section 5.2.3).
  private var folder: [UInt8] {
    let bytes = Array(path.utf8)
    return Array(bytes[...(bytes.lastIndex(of: .slash) ?? 0)])
  }
}
