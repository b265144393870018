public import GatebookEvents

/// A secret of an account that stands in the vault and does not open.
public struct LostSecret: Hashable, Sendable {
  /// Whose it is.
  public let account: AccountID
  /// What it was for, such as `trust` or `offline`.
  public let purpose: String
}
