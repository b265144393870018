/// A login that waits for the person's visit to a page of the server.
///
/// It is kept sealed in the book: its redirect may arrive after a restart, or in another process.
public struct PendingLogin: Hashable, Sendable {
  /// The login attempt; its events carry it as their session.
  public let id: SessionID
  /// The page to show to the person.
  ///
  /// It redeems nothing, but whoever visits it could log in there in the person's place: it is the
  /// browser's alone.
  public let page: HTTPURL
  /// Where the server will send the browser; `oob` when the person types a code instead.
  public let redirectURI: String
  /// Until when the redirect is awaited.
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
