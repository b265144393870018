extension Ledger {
  /// Refuses an account that was erased, before a server is asked.
  ///
  /// - Throws: `precondition.failed` for an erased account, `configuration.invalid` for an unknown
  ///   one.
  func checkLiving(_ account: AccountID) throws(GatebookError) {
    _ = try context(of: account)
    guard try reader.isErased(account) else { return }
    throw GatebookError(
      .preconditionFailed, "The account was erased: \(account).", kept: "Nothing was sent.",
      remedy: "Log in without naming an account: that creates a new one.")
  }

  /// All accounts in the order in which they were added.
  func accounts() throws(GatebookError) -> [SessionContext] {
    try reader.accounts(at: clock.now())
  }

  /// An account's current context, including events of other processes.
  func context(of account: AccountID) throws(GatebookError) -> SessionContext {
    guard let context = try reader.context(of: account, at: clock.now()) else {
      throw Self.unknown(account)
    }
    return context
  }

  /// An account's context as the log says it, without what time alone has changed.
  func recordedContext(of account: AccountID) throws(GatebookError) -> SessionContext {
    if let last = try unchanged(account) { return last.session.context }
    guard let context = try reader.context(of: account) else { throw Self.unknown(account) }
    return context
  }

  /// An account's events of one kind after a position, in order.
  func events(
    _ kind: EventKind, of account: AccountID, since position: Position
  ) throws(GatebookError) -> [RecordedEvent] {
    try reader.events(EventFilter(account: account, kind: kind.rawValue, after: position))
  }

  static func unknown(_ account: AccountID) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The book has no account \(account).",
      remedy: "List the accounts, then name one of them.")
  }

  func requireCurrent() throws(GatebookError) -> AccountID {
    guard let current = try reader.current() else {
      throw GatebookError(
        .sessionRefused, "The book has no account yet.", remedy: "Log in first.")
    }
    return current
  }

  /// The account of a person whom a server has named.
  ///
  /// What leads to it is a row that no hash covers; whose the account is, its own first event says
  /// (architecture rule 8).
  ///
  /// - Parameter person: The person.
  /// - Returns: The account; `nil` for a person without one.
  /// - Throws: `identity.mismatch` where the book leads to another user's account, or to none;
  ///   storage failures.
  func account(of person: Person) throws(GatebookError) -> AccountID? {
    guard let account = try reader.account(ofUser: person) else {
      guard try !reader.leadsNowhere(person.userParts) else { throw Self.misled }
      return nil
    }
    guard let state = try reader.state(of: account), state.state != .ended(.erased) else {
      // Erased meanwhile: no lookup finds it.
      guard try reader.account(ofUser: person) != nil else { return nil }
      throw Self.misled
    }
    guard try reader.owner(of: account).is(person, in: reader) else { throw Self.misled }
    return account
  }

  private static let misled = GatebookError(
    .identityMismatch,
    "The lookups of the book were changed: they lead from this user to another user's account.",
    kept: "No session was changed.",
    remedy:
      "Check the book with `BookVerifier`, and use a copy from before the change."
  )

  /// The fingerprint of a typed name, which tells it from others where no account is known.
  ///
  /// The client is no part of it: one name at one server is one.
  func nameFingerprint(of person: Person) throws(GatebookError) -> String {
    try reader.nameFingerprint(person.formerNameParts)
  }
}
