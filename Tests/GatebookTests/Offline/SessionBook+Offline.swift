@testable import Gatebook

/// What tests read in addition to the contexts.
extension SessionBook {
  /// Whether the vault still has the session's secret.
  func holdsSession(of account: AccountID) throws(GatebookError) -> Bool {
    try reader.secret(of: account, purpose: Purpose.session) != nil
  }

  /// How many passwords were tried since the last right one.
  func passwordAttempts(of account: AccountID) throws(GatebookError) -> Int64? {
    try reader.state(of: account)?.passwordAttempts
  }
}
