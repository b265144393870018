/// One event as the folds see it: the envelope and the clear facts, never the encrypted ones.
package struct LogEntry {
  package var position: Position
  package var account: AccountID?
  package var revision: Int64
  package var session: SessionID?
  /// `nil` for a kind that this version does not know.
  package var kind: EventKind?
  package var at: Timestamp
  package var data: FactScanner

  package init(
    position: Position, account: AccountID?, revision: Int64, session: SessionID?,
    kind: EventKind?, at: Timestamp, data: FactScanner
  ) {
    self.position = position
    self.account = account
    self.revision = revision
    self.session = session
    self.kind = kind
    self.at = at
    self.data = data
  }
}
