package import GatebookEvents

extension HTTPReply {
  /// The longest wait that is taken from a server: a mistaken year would be a refusal that nobody has
  /// spoken.
  package static let maximumWait = Duration.seconds(86_400)

  /// The server's own time when it answered (RFC 9110 section 6.6.1); `nil` without a valid `Date`.
  package func date(at now: Timestamp) -> Timestamp? {
    fields.first("Date").flatMap { HTTPDate.parse($0, at: now) }
  }

  /// How long the server wants to be left alone (RFC 9110 section 10.2.3), at most a day.
  ///
  /// - Parameter now: When the answer came; a date is counted from the server's own `Date` if there
  ///   is one, so that a wrong clock here does not count.
  /// - Returns: The time to wait; `nil` without a valid `Retry-After`, and for one that is over or takes no
  ///   time: nothing is demanded then.
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
}
