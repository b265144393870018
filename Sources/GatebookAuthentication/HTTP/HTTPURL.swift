package import GatebookEvents

/// An absolute `http` or `https` URL, read strictly, so that Gatebook checks exactly what the
/// server receives.
///
/// Source: RFC 3986 and RFC 9110 section 4.2. Everything is ASCII; the caller must percent-encode
/// other characters.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
  /// The server.
  public let origin: Origin
  /// The path as sent, without `.` and `..` segments; at least `/`.
  public let path: String
  /// The query as sent, without its `?`; `nil` when there is none.
  public let query: String?

  /// Reads a URL; `nil` for another scheme, user information, characters outside the grammar
  /// (control characters, blanks, backslashes, letters beyond ASCII) or an invalid host or port.
  ///
  /// A fragment is dropped, because it is never sent. `.` and `..` segments are removed, also
  /// percent-encoded ones: servers and libraries differ in when they do it.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard let scheme = ["http", "https"].first(where: { Self.has($0, before: "://", in: bytes) })
    else { return nil }
    let rest = bytes[(scheme.utf8.count + 3)...]
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    guard let origin = Authority(rest[..<end], scheme: scheme)?.origin else { return nil }
    guard let tail = RelativeTail(rest[end...]) else { return nil }
    self.init(origin: origin, path: tail.path, query: tail.query)
  }

  /// Appends the target of a request line to a server; `nil` for one that is not in origin form, or
  /// is outside the grammar.
  ///
  /// A target that begins with two slashes is a path too.
  package init?(_ origin: Origin, target: some StringProtocol) {
    let bytes = Array(target.utf8)
    guard bytes.first == .slash, let tail = RelativeTail(bytes[...]) else { return nil }
    self.init(origin: origin, path: tail.path, query: tail.query)
  }

  init(origin: Origin, path: some Collection<UInt8>, query: ArraySlice<UInt8>?) {
    self.origin = origin
    self.path = DotSegments.removed(from: path).text
    self.query = query.map { $0.text }
  }

  private static func has(_ scheme: String, before mark: String, in bytes: [UInt8]) -> Bool {
    bytes.prefix(scheme.utf8.count + mark.utf8.count).map(\.lowercase)
      .elementsEqual((scheme + mark).utf8)
  }

  /// The URL with these parameters added to its query, percent-encoded.
  func asking(_ parameters: [(name: String, value: String)]) -> HTTPURL {
    let added = FormEncoding.encode(parameters)
    let joined = query.map { Array($0.utf8) + [UInt8(ascii: "&")] + added } ?? added
    return HTTPURL(origin: origin, path: path.utf8.map { $0 }, query: joined[...])
  }

  /// The URL as text, in the one form that equal URLs share.
  public var description: String { origin.description + target }

  /// Path and query as in the request line (RFC 9112 section 3.2.1).
  public var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The URL for error texts and logs: without its query and without path parameters, in which
  /// servers without cookies keep the session (`;jsessionid=…`).
  public var withoutQuery: String { origin.description + pathWithoutParameters }

  /// Whether both name the same page: same origin, same path; query and path parameters do not
  /// count, nor how unreserved characters are written (RFC 3986 section 6.2.2.2).
  public func isSamePage(as other: HTTPURL) -> Bool {
    origin == other.origin
      && PercentEncoding.normalized(pathWithoutParameters)
        == PercentEncoding.normalized(other.pathWithoutParameters)
  }

  private var pathWithoutParameters: String {
    path.utf8.split(separator: .slash, omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != .semicolon }.text }.joined(separator: "/")
  }

  /// Resolves a reference in an answer to this URL, such as the value of `Location` (RFC 3986
  /// section 5.2.2).
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

extension HTTPURL: StoredText {}
extension Issuer: StoredText {}

/// As its URL; of any other URL there its origin counts.
extension Origin: Storable {
  package init?(record: String) {
    guard let url = HTTPURL(record) else { return nil }
    self = url.origin
  }

  package var record: String { description }
}

extension HTTPField: StoredRecord {
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      try facts.required("name", kept?.name), try facts.required("value", kept?.value))
  }
}

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

/// Removes `.` and `..` segments from a path (RFC 3986 section 5.2.4).
enum DotSegments {
  /// The path without such segments; `/` for an empty path.
  ///
  /// `%2e` counts as a dot: it is the same character (RFC 3986 section 6.2.2.2), and servers decode
  /// it before they look.
  static func removed(from path: some Collection<UInt8>) -> [UInt8] {
    // Most paths have none.
    guard path.first != .slash || path.contains(where: { $0 == 0x2E || $0 == 0x25 }) else {
      return Array(path)
    }
    let segments = Array(path).split(separator: .slash, omittingEmptySubsequences: false)
    // The piece before the first slash is empty: a path here starts with one or is empty.
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.dropFirst().enumerated() {
      let isLast = index == segments.count - 2
      switch dots(segment) {
      case 1: if isLast { kept.append([]) }
      case 2:
        _ = kept.popLast()
        if isLast { kept.append([]) }
      default: kept.append(segment)
      }
    }
    return [.slash] + kept.joined(separator: [.slash])
  }

  /// 1 for `.`, 2 for `..`, 0 for any other segment.
  private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
    guard segment.count <= 6 else { return 0 }
    let text = segment.lowercaseText
    if [".", "%2e"].contains(text) { return 1 }
    return ["..", ".%2e", "%2e.", "%2e%2e"].contains(text) ? 2 : 0
  }
}

/// URIs that an app or a person gives as they are registered somewhere, such as for redirects.
package enum AbsoluteURI {
  /// Whether it is a scheme and a colon, and the rest needs no encoding (RFC 3986 sections 2 and
  /// 3.1).
  package static func isValid(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != .colon }
    return scheme.first?.isLetter == true && scheme.count < text.utf8.count
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
