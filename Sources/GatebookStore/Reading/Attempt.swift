package import GatebookEvents

/// What a login that waits without an account has kept.
package struct Attempt: Sendable {
  /// The login.
  package let session: SessionID
  /// Until when it waits.
  package let deadline: Timestamp
  /// What it needs to continue.
  package let content: [UInt8]
}
