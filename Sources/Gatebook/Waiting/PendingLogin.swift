/// A login that waits for the user: on a page of the server, or with a code on another device (RFC
/// 8628).
///
/// It is kept encrypted in the book: it survives the end of its process, and its redirect may
/// arrive after a restart or in another process.
public struct PendingLogin: Hashable, Sendable {
  /// The login attempt; its events carry it as their session.
  public let id: SessionID
  /// The page to show to the user; with a ``code``, the page where it is entered.
  ///
  /// The URL contains no secret of the login, but somebody else who opens it could log in instead
  /// of the user. Give it only to the browser.
  public let page: HTTPURL
  /// The redirect URI; `oob` if the user types a code instead, and empty if a ``code`` is entered
  /// on another device.
  public let redirectURI: String
  /// The code to show to the user, with its remaining lifetime; `nil` if the login waits for its
  /// redirect.
  public let code: DeviceCode?
  /// The time when the login stops waiting.
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
