/// What follows the authority in a URL: path and query; the fragment is dropped (RFC 3986 sections
/// 3.3 to 3.5).
struct RelativeTail {
  /// The path; may be empty.
  let path: ArraySlice<UInt8>
  /// The query without its `?`; `nil` when there is none.
  let query: ArraySlice<UInt8>?

  /// Splits path and query; `nil` for a byte outside the grammar or a broken percent-encoding.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard PercentEncoding.isValid(bytes), bytes.allSatisfy(Self.isAllowed) else { return nil }
    let hash = UInt8(ascii: "#")
    let visible = bytes.prefix { $0 != hash }
    guard !bytes[visible.endIndex...].dropFirst().contains(hash) else { return nil }
    path = visible.prefix { $0 != UInt8(ascii: "?") }
    query = path.endIndex < visible.endIndex ? visible[(path.endIndex + 1)...] : nil
  }

  /// `pchar`, `/`, `?` and the mark of the fragment.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isUnreserved || "!$&'()*+,;=:@/?%#".utf8.contains(byte)
  }
}
