package import GatebookEvents

/// One complete answer; a redirect is an answer like any other.
public struct HTTPReply: Hashable, Sendable {
  /// The status, 100 to 599.
  public var status: Int
  /// The header fields of the last header block, in their order.
  public var fields: [HTTPField]
  /// The body after decompression; empty when the request's sink took it.
  public var body: [UInt8]
  /// Whether the request's sink took the body.
  public var isStreamed = false
  /// Whether the session was refused, and the request could not be sent again, because its body can
  /// be read only once.
  package var isUnrepeated = false
  /// Whether the protocol itself says where an answer ends, as HTTP/2 does: then this one is whole.
  package var isDelimited = false
  /// When it was asked for, where that was for an earlier request; `nil`: for this one.
  package var recalled: Timestamp?

  /// Makes an answer.
  public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Where a redirect leads; `nil` without a URL.
  ///
  /// - Parameter url: What was asked.
  /// - Returns: The URL of the `Location` field, resolved.
  func target(from url: HTTPURL) -> HTTPURL? {
    fields.first("Location").flatMap { url.resolve($0) }
  }

  /// How long the answer may be used without asking again (RFC 9111 section 4.2.1), at most a day.
  ///
  /// - Parameter now: When it came.
  /// - Returns: Zero if it must be requested each time; `nil` if the server does not say.
  package func freshness(at now: Timestamp) -> Duration? {
    let directives = fields.values(of: "Cache-Control")
      .flatMap { $0.utf8.split(separator: UInt8.comma) }.map { Array($0).trimmed.lowercaseText }
    if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" }) { return .zero }
    if let text = directives.first(where: { $0.hasPrefix("max-age=") }) {
      guard let seconds = Int64(text.dropFirst("max-age=".count)), seconds >= 0 else {
        return .zero
      }
      let age = fields.first("Age").flatMap { Int64($0) } ?? 0
      return min(.seconds(min(seconds, 86_400)), Self.maximumFreshness)
        - .seconds(max(0, min(age, seconds, 86_400)))
    }
    guard let text = fields.first("Expires") else { return nil }
    guard let end = HTTPDate.parse(text, at: now) else { return .zero }
    return min(max(.zero, end - (date(at: now) ?? now)), Self.maximumFreshness)
  }

  private static let maximumFreshness = Duration.seconds(86_400)

  /// The longest wait that is taken from a server: a mistaken year would be a refusal that nobody
  /// has spoken.
  package static let maximumWait = Duration.seconds(86_400)

  /// The server's own time when it answered (RFC 9110 section 6.6.1); `nil` without a valid `Date`.
  package func date(at now: Timestamp) -> Timestamp? {
    fields.first("Date").flatMap { HTTPDate.parse($0, at: now) }
  }

  /// How long the server wants to be left alone (RFC 9110 section 10.2.3), at most a day.
  ///
  /// - Parameter now: When the answer came; a date is counted from the server's own `Date` if there
  ///   is one, so that a wrong clock here does not count.
  /// - Returns: The time to wait; `nil` without a valid `Retry-After`, and for one that is over or
  ///   takes no time: nothing is demanded then.
  package func retryAfter(at now: Timestamp) -> Duration? {
    namedWait(at: now).flatMap { $0 > .zero ? $0 : nil }
  }

  private func namedWait(at now: Timestamp) -> Duration? {
    guard let text = fields.first("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      return min(.seconds(Int64(text) ?? .max), Self.maximumWait)
    }
    guard let end = HTTPDate.parse(text, at: now) else { return nil }
    let start = date(at: now) ?? now
    let (wait, isTooLong) = end.rawValue.subtractingReportingOverflow(start.rawValue)
    return isTooLong ? Self.maximumWait : min(max(.zero, .microseconds(wait)), Self.maximumWait)
  }

  /// The values that it gives in confidence: its tokens, its secrets and its cookies.
  var sentSecrets: [String] { given + cookies }

  /// What its body gives under the names that the protocols have for secrets.
  private var given: [String] {
    if let facts = JSONDocument.read(body)?.object {
      return Self.secretNames.compactMap { facts[$0]?.text }
    }
    // OAuth 1.0a answers with a form (RFC 5849 section 2.1).
    return (FormFields(decoding: body)?.fields ?? []).filter {
      Self.secretNames.contains($0.name)
    }.map(\.value)
  }

  private var cookies: [String] {
    fields.filter { $0.name.lowercased() == "set-cookie" }.compactMap { field in
      field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).dropFirst().first.map(
        String.init)
    }
  }

  /// Source: RFC 6749 section 5.1, RFC 8628 section 3.2, RFC 7591 section 3.2.1, RFC 7592 section
  /// 3, OpenID Connect Core 1.0 section 3.1.3.3, RFC 5849 section 2; `sessionid` is a gateway's.
  private static let secretNames: Set<String> = [
    "access_token", "client_secret", "device_code", "id_token", "oauth_token",
    "oauth_token_secret", "refresh_token", "registration_access_token", "sessionid",
  ]
}
