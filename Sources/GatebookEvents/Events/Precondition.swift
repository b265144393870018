/// What must hold, inside the write transaction, for an append to happen.
package enum Precondition: Hashable, Sendable {
  /// Nothing.
  case none
  /// The stream's last revision; 0 for a stream without events.
  case revision(AccountID?, Int64)
  /// The account's session and its generation are still these, and the session has not ended.
  case generation(AccountID, SessionID, Int64)
}
