extension BookReader {
  /// Which scopes a session has lost since its login.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - state: The account's state.
  /// - Returns: The scopes in the order of the login, and the renewal that brought fewer; `nil` where none
  ///   are lost, or where the log does not say what was granted.
  /// - Throws: Storage failures.
  func lostScopes(
    of account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> (names: [String], since: Timestamp)? {
    guard state.state.isUsable, let session = state.session, let login = try event(at: state.person)
    else { return nil }
    var filter = EventFilter()
    filter.account = account
    filter.session = session
    filter.kind = EventKind.refreshSucceeded.rawValue
    filter.limit = 64
    let renewals = try events(filter)
    let asked = login.scopes("scope")
    let lost = { (renewal: RecordedEvent) in
      asked.isEmpty || renewal.data["scope"] == nil
        ? renewal.scopes("missing").filter { !login.scopes("missing").contains($0) }
        : asked.filter { !renewal.scopes("scope").contains($0) }
    }
    // A renewal that names no scopes has changed none (RFC 6749 section 6).
    let telling = renewals.filter { $0.data["scope"] != nil || $0.data["missing"] != nil }
    guard let last = telling.last else { return nil }
    let names = lost(last)
    guard !names.isEmpty else { return nil }
    let first = telling.reversed().prefix { lost($0) == names }.last ?? last
    return (names, first.at)
  }
}

extension RecordedEvent {
  /// The names of scopes in one of its facts.
  fileprivate func scopes(_ name: String) -> [String] {
    (data[name]?.text ?? "").split(separator: " ").map(String.init)
  }
}
