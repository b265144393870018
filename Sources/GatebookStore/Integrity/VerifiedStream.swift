public import GatebookEvents

/// One account's share of a log that was verified.
public struct VerifiedStream: Hashable, Sendable {
  /// Whose events they are.
  public let account: AccountID
  /// How many events of the account were found; their revisions are 1 to this, in the order of the
  /// positions, unless a problem tells otherwise.
  public let events: Int64
}
