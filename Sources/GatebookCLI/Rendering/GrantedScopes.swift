internal import Gatebook

extension BookReader {
  /// What the server granted to an account's session, as the log tells it in the clear.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - position: The last event that counts; `nil` for all.
  /// - Returns: The scopes; `nil` where the log has none, or names that may not stand there.
  /// - Throws: Storage failures.
  func scopes(
    of context: SessionContext, asOf position: Position? = nil
  ) throws(GatebookError) -> [String]? {
    guard let session = context.session else { return nil }
    var granted: RecordedEvent?
    for kind in [EventKind.loginSucceeded, .refreshSucceeded] {
      var filter = EventFilter()
      filter.account = context.account
      filter.session = session
      filter.kind = kind.rawValue
      // An answer that names no scope leaves it as it was (RFC 6749 section 6).
      if position == nil { filter.limit = 1 }
      let events = try events(filter).filter { event in
        event.data["scope"] != nil && position.map { event.position <= $0 } ?? true
      }
      granted = events.last ?? granted
    }
    return granted?.data["scope"]?.text?.split(separator: " ").map(String.init)
  }
}
