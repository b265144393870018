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
