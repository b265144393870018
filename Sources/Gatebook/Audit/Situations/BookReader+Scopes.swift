extension BookReader {
  /// What the server granted to an account's session, as the log tells it in the clear.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - position: The last event that counts; `nil` for all.
  /// - Returns: The scopes; `nil` where the newest grant has none, or invalid names.
  /// - Throws: Storage failures.
  package func scopes(
    of context: SessionContext, asOf position: Position? = nil
  ) throws(GatebookError) -> [String]? {
    guard let session = context.session else { return nil }
    var newest: RecordedEvent?
    for kind in [EventKind.loginSucceeded, .refreshSucceeded] {
      let events = try last(kind, of: context.account, in: session, upTo: position)
      guard let event = events.last else { continue }
      // An answer that names no scope leaves it as it was (RFC 6749 section 6): the event repeats
      // it.
      if newest.map({ $0.position < event.position }) ?? true { newest = event }
    }
    let grant =
      newest?.facts(of: LoginSucceeded.self)?.grant
      ?? newest?.facts(of: RefreshSucceeded.self)?.grant
    return grant?.scope == nil ? nil : grant?.scopes
  }
}

extension BookReader {
  /// Which scopes a session has lost since its login.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - state: The account's state.
  /// - Returns: The scopes in the order of the login, and the renewal that brought fewer; `nil`
  ///   where none are lost, or where the log does not say what was granted.
  /// - Throws: Storage failures.
  func lostScopes(
    of account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> (names: [String], since: Timestamp)? {
    guard state.state.isUsable, let session = state.session, let login = try event(at: state.person)
    else { return nil }
    let renewals = try last(.refreshSucceeded, atMost: 64, of: account, in: session)
    let granted = login.facts(of: LoginSucceeded.self)?.grant ?? Grant()
    let lost = { (renewal: Grant) in
      granted.scopes.isEmpty || renewal.scope == nil
        ? renewal.missingScopes.filter { !granted.missingScopes.contains($0) }
        : granted.scopes.filter { !renewal.scopes.contains($0) }
    }
    // A renewal that names no scopes has changed none (RFC 6749 section 6).
    let telling = renewals.compactMap { renewal in
      renewal.facts(of: RefreshSucceeded.self).map { (grant: $0.grant, at: renewal.at) }
    }.filter { $0.grant.scope != nil || $0.grant.missing != nil }
    guard let last = telling.last else { return nil }
    let names = lost(last.grant)
    guard !names.isEmpty else { return nil }
    let first = telling.reversed().prefix { lost($0.grant) == names }.last ?? last
    return (names, first.at)
  }
}
