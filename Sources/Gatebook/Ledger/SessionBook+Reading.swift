extension SessionBook {
  /// All accounts in the order in which they were added.
  ///
  /// A session that has expired and that only a login can continue is shown as `needsLogin(expired)`, with
  /// `isRecorded` false until something is written about the account. A session that the server has not
  /// confirmed for longer than its login allows has ``SessionContext/isPastOfflineLimit``: the next use asks
  /// the server, and ends it unless the server confirms it.
  public func accounts() throws(GatebookError) -> [SessionContext] {
    try reader.accounts(at: clock.now())
  }

  /// The current account's context; `nil` when there is no account.
  public func currentContext() throws(GatebookError) -> SessionContext? {
    guard let current = try reader.current() else { return nil }
    return try reader.context(of: current, at: clock.now())
  }

  /// An account's current context, including events of other processes.
  ///
  /// An expiry is shown before it is recorded, as in ``accounts()``.
  ///
  /// - Throws: `configuration.invalid` for an unknown account.
  public func context(of account: AccountID) throws(GatebookError) -> SessionContext {
    guard let context = try reader.context(of: account, at: clock.now()) else {
      throw Self.unknown(account)
    }
    return context
  }

  /// An account's context as the log says it, without what time alone has changed.
  func recordedContext(of account: AccountID) throws(GatebookError) -> SessionContext {
    guard let context = try reader.context(of: account) else { throw Self.unknown(account) }
    return context
  }

  /// An account's context after the event at a position; `nil` if the account did not exist yet.
  public func context(
    of account: AccountID, asOf position: Position
  ) throws(GatebookError) -> SessionContext? {
    try reader.context(of: account, asOf: position)
  }

  /// The events after a position, in order.
  ///
  /// - Parameters:
  ///   - position: The event before the first one to return; `.start` for all.
  ///   - limit: The maximum number.
  /// - Returns: Events with their personal data decrypted.
  /// - Throws: `storage` failures.
  public func events(
    after position: Position, limit: Int = 1000
  ) throws(GatebookError) -> [RecordedEvent] {
    var filter = EventFilter()
    filter.after = position
    filter.limit = limit
    return try reader.events(filter)
  }

  /// An account's events of one kind after a position, in order.
  func events(
    _ kind: EventKind, of account: AccountID, since position: Position
  ) throws(GatebookError) -> [RecordedEvent] {
    var filter = EventFilter()
    filter.account = account
    filter.kind = kind.rawValue
    filter.after = position
    return try reader.events(filter)
  }

  /// A signed checkpoint of the book as it is now, to be kept elsewhere.
  ///
  /// - Returns: A C2SP signed note.
  public func checkpoint() throws(GatebookError) -> String {
    try reader.checkpoint()
  }

  /// Computes the states of accounts and sessions again from the whole log; readers can read meanwhile.
  ///
  /// It first computes every hash of the log again: a damaged log is not used.
  ///
  /// - Parameter account: Only the states of this account and its sessions; `nil` for all states, including the
  ///   current account.
  /// - Returns: The position of the last event that was used.
  /// - Throws: `configuration.invalid` for an unknown account, `storage.damaged` for a log that does not agree
  ///   with itself, or another storage failure: the states are then unchanged.
  public func rebuild(_ account: AccountID? = nil) async throws(GatebookError) -> Position {
    try await BookVerifier(path: reader.path).requireWholeLog()
    let log = try reader.foldLog(of: account)
    // The log alone knows: the account's row may be what has to be made anew.
    if let account, !log.fold.holds(account) { throw Self.unknown(account) }
    return try await store.get().rebuild(from: log)
  }

  static func unknown(_ account: AccountID) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The book has no account \(account).",
      remedy: "List the accounts, then name one of them.")
  }
}
