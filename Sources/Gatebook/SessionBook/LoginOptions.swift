/// How a login is to be made and kept.
public struct LoginOptions: Sendable {
  /// Whether the account may later log in again by itself, also after a logout.
  ///
  /// Source: Login Screenlet, "saveCredentials" (false unless set).
  public var saveCredentials = false
  /// A name for the account; see `SessionBook.rename`.
  public var label: String?
  /// Whether a password may go to another machine without TLS; the permission is recorded.
  public var allowsCleartext = false
  /// Further origins that the account's credentials may go to.
  public var origins: [Origin] = []
  /// Which TLS servers are trusted.
  public var trust: Trust = .system
  /// Whether the account becomes the current one.
  public var becomesCurrent = true

  /// Makes the defaults.
  public init() {}
}
