extension SessionBook {
  /// Why an account is in its state, in plain sentences.
  ///
  /// ```swift
  /// let because = try book.why(ada.account)
  /// for step in because.steps { print(step.at, step.sentence.text { "\($0)" }) }
  /// print(because.advice.text)
  /// ```
  ///
  /// - Parameter account: The account.
  /// - Returns: What led to it, oldest first, and what to do now.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  public func why(_ account: AccountID) throws(GatebookError) -> Explanation {
    _ = try ledger.context(of: account)
    guard let explanation = try ledger.reader.why(account, at: ledger.clock.now()) else {
      throw Ledger.unknown(account)
    }
    return explanation
  }

  /// Why an event happened, in plain sentences.
  ///
  /// - Parameter position: The event.
  /// - Returns: What led to it; `nil` if there is no such event.
  /// - Throws: Storage failures.
  public func why(_ position: Position) throws(GatebookError) -> Explanation? {
    try ledger.reader.why(position, at: ledger.clock.now())
  }

  /// What in the log needs a person's attention, by the rules of ``FindingRule``.
  ///
  /// - Parameters:
  ///   - account: Only findings about this account; `nil` for all.
  ///   - since: Only what happened from this moment on; `nil` for all.
  ///   - until: Only what happened before this moment; `nil` for all.
  /// - Returns: The findings in the order of their first events.
  /// - Throws: Storage failures.
  public func findings(
    of account: AccountID? = nil, since: Timestamp? = nil, until: Timestamp? = nil
  ) throws(GatebookError) -> [Finding] {
    try ledger.reader.findings(of: account, since: since, until: until, at: ledger.clock.now())
  }

  /// What the server granted to an account's session, as the log tells it in the clear.
  ///
  /// - Parameter context: The account.
  /// - Returns: The scopes; `nil` where the newest grant has none, or invalid names.
  /// - Throws: Storage failures.
  package func scopes(of context: SessionContext) throws(GatebookError) -> [String]? {
    try ledger.reader.scopes(of: context)
  }

  /// The totals of the book, or of one account.
  ///
  /// - Parameters:
  ///   - account: Only this account; `nil` for all.
  ///   - days: Only what happened on these days; `nil` for all.
  /// - Returns: The figures.
  /// - Throws: Storage failures.
  public func statistics(
    of account: AccountID? = nil, on days: ClosedRange<Day>? = nil
  ) throws(GatebookError) -> Statistics {
    try ledger.reader.statistics(of: account, on: days, at: ledger.clock.now())
  }

  /// The number of events of each kind, for each day with events.
  ///
  /// - Parameter account: Only this account; `nil` for all.
  /// - Returns: A tally for each day, in UTC.
  /// - Throws: Storage failures.
  public func tallyByDay(of account: AccountID? = nil) throws(GatebookError) -> [Day: Tally] {
    try ledger.reader.tallyByDay(of: account)
  }

  /// The number of events of each kind, for each account; `nil` is the book itself.
  ///
  /// - Returns: A tally for each account that has events.
  /// - Throws: Storage failures.
  public func tallyByAccount() throws(GatebookError) -> [AccountID?: Tally] {
    try ledger.reader.tallyByAccount()
  }
}
