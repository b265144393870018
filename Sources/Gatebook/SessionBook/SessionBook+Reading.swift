extension SessionBook {
  /// All accounts in the order in which they were added.
  ///
  /// A session whose known life is over, and which nothing but a login makes live on, is shown as
  /// `needsLogin(expired)`, with `isRecorded` false until somebody writes about the account. One that
  /// went without the server for longer than its login allows has
  /// ``SessionContext/isPastOfflineLimit``: the next use asks the server, and ends it without its word.
  public func accounts() throws(GatebookError) -> [SessionContext] {
    try reader.accounts(at: clock.now())
  }

  /// The current account's context; `nil` when there is no account.
  public func currentContext() throws(GatebookError) -> SessionContext? {
    guard let current = try reader.current() else { return nil }
    return try reader.context(of: current, at: clock.now())
  }

  /// An account's context as it is now, other processes' events included.
  ///
  /// An expiry that has passed is seen before it is recorded, as by ``accounts()``.
  ///
  /// - Throws: `configuration.invalid` when the book does not know the account.
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

  /// An account's context as it was after a position; `nil` when it was not there yet.
  public func context(
    of account: AccountID, asOf position: Position
  ) throws(GatebookError) -> SessionContext? {
    try reader.context(of: account, asOf: position)
  }

  /// The events behind a position, in order.
  ///
  /// - Parameters:
  ///   - position: The last event that is not wanted; `.start` for all.
  ///   - limit: How many at most.
  /// - Returns: Events with their personal facts opened.
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

  /// The signed checkpoint of the book as it is now, to be kept elsewhere.
  ///
  /// - Returns: A C2SP signed note.
  public func checkpoint() throws(GatebookError) -> String {
    try reader.checkpoint()
  }

  /// Folds the whole log anew and replaces the projections; readers go on reading meanwhile.
  ///
  /// Before that every hash of the log is computed anew: a damaged one is not folded.
  ///
  /// - Parameter account: Only the account's own rows and those of its sessions; `nil` for all rows,
  ///   that of who is current among them.
  /// - Returns: The last event that was folded.
  /// - Throws: `configuration.invalid` for an unknown account, `storage.damaged` for a log that does not
  ///   agree with itself, or another storage failure: the projections are then as before.
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
