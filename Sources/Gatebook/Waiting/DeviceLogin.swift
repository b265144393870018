/// A login that waits until the user has entered its code on another device (RFC 8628).
///
/// It is kept encrypted in the book, so it survives the end of its process.
public struct DeviceLogin: Hashable, Sendable {
  /// The login attempt; its events carry it as their session.
  public let id: SessionID
  /// The code to show to the user, with its remaining lifetime.
  public let code: DeviceCode
  /// The time until which the code can be entered.
  public let deadline: Timestamp
  /// The login method.
  public let method: String
  /// The server.
  public let server: Origin
  /// Whether it may save credentials: ``LoginOptions/saveCredentials``.
  public let savesCredentials: Bool
  /// The label for the account: ``LoginOptions/label``.
  public let label: String?
}
