/// A login that waits for the user to log in on a page of the server.
///
/// It is kept encrypted in the book: its redirect may arrive after a restart or in another process.
public struct PendingLogin: Hashable, Sendable {
  /// The login attempt; its events carry it as their session.
  public let id: SessionID
  /// The page to show to the user.
  ///
  /// The URL contains no secret of the login, but somebody else who opens it could log in instead
  /// of the user. Give it only to the browser.
  public let page: HTTPURL
  /// The redirect URI; `oob` if the user types a code instead.
  public let redirectURI: String
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
