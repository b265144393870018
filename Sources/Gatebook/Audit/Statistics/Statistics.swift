/// The totals of a book, or of one of its accounts.
///
/// They come from counters, need no key and contain no personal data.
public struct Statistics: Hashable, Sendable {
  /// The number of events of each kind, and the logins, renewals and failures among them.
  public let tally: Tally
  /// The number of accounts, including erased ones.
  public let accounts: Int
  /// How many of them have a usable session now.
  public let openSessions: Int
  /// The time of the first event; `nil` if there is none.
  public let first: Timestamp?
  /// The time of the last event.
  public let last: Timestamp?
  /// The size of the book including its write-ahead log, for all accounts and days.
  public let bytes: Int64
  /// The number of events in the whole book, without those in an archive.
  public let bookEvents: Int64

  /// The average size of an event, including everything that belongs to it.
  public var bytesPerEvent: Int64 { bookEvents == 0 ? 0 : bytes / bookEvents }
}

extension BookReader {
  /// The totals of the book, or of one account.
  ///
  /// - Parameters:
  ///   - account: Only this account; `nil` for all.
  ///   - days: Only what happened on these days; `nil` for all. Open sessions are always those of
  ///     now.
  ///   - now: The time to count for: a session that has expired by then is not open, even if
  ///     nothing recorded it. `nil`: only the log counts.
  /// - Returns: The figures.
  /// - Throws: Storage failures.
  public func statistics(
    of account: AccountID? = nil, on days: ClosedRange<Day>? = nil, at now: Moment? = nil
  ) throws(GatebookError) -> Statistics {
    try inSnapshot { () throws(GatebookError) in
      let contexts = try accounts(at: now).filter { account == nil || $0.account == account }
      return Statistics(
        tally: try tally(of: account, on: days), accounts: contexts.count,
        openSessions: contexts.count { $0.state.isUsable },
        first: try end(of: account, on: days, isFirst: true),
        last: try end(of: account, on: days, isFirst: false), bytes: try bytes(),
        bookEvents: try head().size - (try continuation()?.archived.rawValue ?? 0))
    }
  }

  /// When the first or the last event was.
  private func end(
    of account: AccountID?, on days: ClosedRange<Day>?, isFirst: Bool
  ) throws(GatebookError) -> Timestamp? {
    let filter = EventFilter(
      account: account, since: days?.lowerBound.start,
      until: days.map { Day(rawValue: $0.upperBound.rawValue + 1).start },
      after: isFirst ? .start : nil, limit: 1)
    return try events(filter).first?.at
  }
}
