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
