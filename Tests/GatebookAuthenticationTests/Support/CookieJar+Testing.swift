internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

extension Timestamp {
  /// 2024-06-01T12:00:00Z.
  static let noon = Timestamp(rawValue: 1_717_243_200_000_000)
}

extension CookieJar {
  /// Takes `Set-Cookie` values from an answer of a URL.
  @discardableResult
  mutating func take(
    _ values: String..., from url: String = "https://www.example.com/a/b",
    at now: Timestamp = .noon,
    suffixes: (any PublicSuffixes)? = KnownSuffixes()
  ) throws -> Bool {
    try take(all: values, from: url, at: now, suffixes: suffixes)
  }

  /// Takes many `Set-Cookie` values in one answer.
  @discardableResult
  mutating func take(
    all values: [String], from url: String = "https://www.example.com/a/b",
    at now: Timestamp = .noon, suffixes: (any PublicSuffixes)? = KnownSuffixes()
  ) throws -> Bool {
    let reply = HTTPReply(status: 200, fields: values.map { HTTPField("set-cookie", $0) })
    return receive(reply, from: try #require(HTTPURL(url)), at: now, suffixes: suffixes)
  }

  /// The `Cookie` field for a URL.
  func sent(
    to url: String = "https://www.example.com/a/b", at now: Timestamp = .noon
  ) throws -> String? {
    header(for: try #require(HTTPURL(url)), at: now)
  }

  /// The facts of the only cookie.
  func only(at now: Timestamp = .noon) throws -> Facts {
    let list = try #require(described(at: now).list)
    try #require(list.count == 1)
    return try #require(list[0].object)
  }
}
