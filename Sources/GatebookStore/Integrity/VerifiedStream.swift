public import GatebookEvents

/// One account's events in a verified log.
public struct VerifiedStream: Hashable, Sendable {
  /// The account.
  public let account: AccountID
  /// How many events of the account were found.
  ///
  /// Unless a problem says otherwise, their revisions follow the order of the positions without a
  /// gap. In a book with its whole history they run from 1 to this number.
  public let events: Int64
}
