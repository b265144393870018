package import GatebookEvents

extension HTTPReply {
  /// How long the answer may be used without asking again (RFC 9111 section 4.2.1), at most a day.
  ///
  /// - Parameter now: When it came.
  /// - Returns: Zero if it must always be asked for anew; `nil` if the server does not say.
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
}
