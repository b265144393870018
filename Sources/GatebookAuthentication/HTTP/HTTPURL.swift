/// An absolute `http` or `https` URL, read strictly, so that Gatebook checks exactly what the server receives.
///
/// Source: RFC 3986 and RFC 9110 section 4.2. Everything is ASCII; the caller must percent-encode other
/// characters.
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
  /// A fragment is dropped, because it is never sent. `.` and `..` segments are removed, also percent-encoded
  /// ones: servers and libraries differ in when they do it.
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
}
