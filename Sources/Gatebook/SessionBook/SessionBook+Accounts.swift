extension SessionBook {
  /// Whether the account has saved what may log it in again.
  package func hasSavedCredentials(_ account: AccountID) throws(GatebookError) -> Bool {
    try ledger.hasSavedCredentials(account)
  }

  /// Whether an account has saved credentials that can log it in again automatically, and that no
  /// server has rejected.
  ///
  /// ``logInAgain(_:evenIfUsedUp:)`` may try rejected credentials once more, if they were not used
  /// up.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether it has.
  /// - Throws: A storage failure.
  public func hasSavedLogin(_ account: AccountID) throws(GatebookError) -> Bool {
    try ledger.hasSavedLogin(account)
  }

  /// The scopes that an account's login requested and its server did not grant; the session works
  /// for the others.
  ///
  /// - Parameter account: The account.
  /// - Returns: Their names; none if the server did not say what it granted.
  /// - Throws: `session.refused` when only a login helps, or a storage failure.
  public func missingScopes(of account: AccountID) throws(GatebookError) -> [String] {
    try ledger.missingScopes(of: account)
  }

  /// Further members of the account's token answers, such as `patient` or `instance_url`; as secret
  /// as the tokens.
  ///
  /// - Parameter account: The account.
  /// - Returns: The members; none for a method without tokens.
  /// - Throws: `session.refused` when only a login helps, or a storage failure.
  ///
  /// Source: RFC 6749 section 5.1.
  public func tokenMembers(of account: AccountID) throws(GatebookError) -> TokenMembers {
    try ledger.openSession(of: account)?.stored.proof.tokenBearing?.tokens.others ?? TokenMembers()
  }

  /// What an account's server lists of itself, as the book last read it; nothing is sent.
  package func offers(of account: AccountID) throws(GatebookError) -> ServerOffers? {
    try ledger.reader.offers(of: account)
  }

  /// What a server lists of itself, as the book last read it for a login; nothing is sent.
  ///
  /// - Parameters:
  ///   - issuer: The server.
  ///   - options: The login's.
  /// - Returns: The lists; `nil` where the book has no description of the server.
  package func offers(of issuer: Issuer, _ options: LoginOptions) -> ServerOffers? {
    guard let trust = try? challenges.trust(options, for: options.account) else { return nil }
    return documents.offers(of: issuer, trust: trust)
  }

  /// Whether an account's password can be checked without the network.
  package func hasOfflineVerifier(_ account: AccountID) throws(GatebookError) -> Bool {
    try ledger.hasOfflineVerifier(account)
  }

  /// All accounts in the order in which they were added.
  ///
  /// A session that has expired and that only a login can continue is shown as
  /// `needsLogin(expired)`, with `isRecorded` false until something is written about the account. A
  /// session that the server has not confirmed for longer than its login allows has
  /// ``SessionContext/isPastOfflineLimit``: the next use asks the server, and ends it unless the
  /// server confirms it.
  public func accounts() throws(GatebookError) -> [SessionContext] {
    try ledger.accounts()
  }

  /// The current account's context; `nil` when there is no account.
  public func currentContext() throws(GatebookError) -> SessionContext? {
    guard let current = try ledger.reader.current() else { return nil }
    return try ledger.reader.context(of: current, at: ledger.clock.now())
  }

  /// An account's current context, including events of other processes.
  ///
  /// An expiry is shown before it is recorded, as in ``accounts()``.
  ///
  /// - Throws: `configuration.invalid` for an unknown account.
  public func context(of account: AccountID) throws(GatebookError) -> SessionContext {
    try ledger.context(of: account)
  }

  /// An account's context after the event at a position; `nil` if the account did not exist yet.
  public func context(
    of account: AccountID, asOf position: Position
  ) throws(GatebookError) -> SessionContext? {
    try ledger.reader.context(of: account, asOf: position)
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
    try ledger.reader.events(EventFilter(after: position, limit: limit))
  }

  /// A signed checkpoint of the book as it is now, to be kept elsewhere.
  ///
  /// - Returns: A C2SP signed note.
  public func checkpoint() throws(GatebookError) -> String {
    try ledger.reader.checkpoint()
  }

  /// The settings of an account's last login.
  ///
  /// - Parameter account: The account, logged out or not.
  /// - Returns: The settings; `nil` if they are unknown, because the account was erased or its
  ///   session ended before Gatebook kept them.
  /// - Throws: `configuration.invalid` for an unknown account, `key` and `storage` failures.
  public func savedSettings(of account: AccountID) throws(GatebookError) -> SavedSettings? {
    _ = try ledger.context(of: account)
    return try ledger.reader.savedSettings(of: account)
  }

  /// Makes an account the current one.
  ///
  /// - Returns: Its context.
  /// - Throws: `session.refused` when the secret of its session is missing, and the current account
  ///   does not change; `configuration.invalid` for an unknown account.
  @discardableResult
  public func switchAccount(to account: AccountID) async throws(GatebookError) -> SessionContext {
    try await ledger.switchAccount(to: account)
  }

  /// Gives an account a label.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - label: The label: 1 to 64 characters, not all digits, no control characters, and not the
  ///     label of another account.
  /// - Returns: The account's context.
  /// - Throws: `configuration.invalid` for another label or an unknown account.
  @discardableResult
  public func rename(
    _ account: AccountID, to label: String
  ) async throws(GatebookError) -> SessionContext {
    try await ledger.rename(account, to: label)
  }
}
