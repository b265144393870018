public import GatebookEvents

/// One account's share of a log that was verified.
public struct VerifiedStream: Hashable, Sendable {
  /// Whose events they are.
  public let account: AccountID
  /// How many events of the account were found; their revisions have no gap, in the order of the
  /// positions, unless a problem tells otherwise; in a book that has all of its past from 1 to this.
  public let events: Int64
}
