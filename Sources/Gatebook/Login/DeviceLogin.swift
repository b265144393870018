/// A login that waits until the person has entered its code on another device (RFC 8628).
///
/// It is kept sealed in the book: a process that died in between loses nothing of it.
public struct DeviceLogin: Hashable, Sendable {
  /// The login attempt; its events carry it as their session.
  public let id: SessionID
  /// What to show to the person, with the life that is left.
  public let code: DeviceCode
  /// Until when the code may be entered.
  public let deadline: Timestamp
  /// The login method.
  public let method: String
  /// The server.
  public let server: Origin
  /// Whether it may save what logs in again: ``LoginOptions/saveCredentials``.
  public let savesCredentials: Bool
  /// The label that it asked for: ``LoginOptions/label``.
  public let label: String?
}
