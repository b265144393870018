public import GatebookEvents

/// A secret of an account that is in the vault but cannot be decrypted.
public struct LostSecret: Hashable, Sendable {
  /// Its account.
  public let account: AccountID
  /// What it was for, such as `trust` or `offline`.
  public let purpose: String
}
