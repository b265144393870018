/// What another program, such as `git`, sends to a server in an account's name.
public struct ProgramCredential: Sendable {
  /// What the secret is.
  public enum Kind: Hashable, Sendable {
    /// The password of ``ProgramCredential/user``, for HTTP Basic.
    case password
    /// An access token (RFC 6750). Many servers also take it as the password of HTTP Basic, with a
    /// user name of their own.
    case token
  }

  /// The account.
  public let account: AccountID
  /// What the secret is.
  public let kind: Kind
  /// The user's name at the server; empty if the server never named the user.
  public let user: String
  /// The password or the token.
  public let secret: Secret
  /// When it expires, by the wall clock; `nil` for a password, and if the server did not say.
  public let expiresAt: Timestamp?
  /// Whether it is on disk; `false` if the book could not be written when the server granted it.
  public let isRecorded: Bool
}

extension ProgramCredential {
  /// An access token of an account.
  init(_ token: BearerToken, of context: SessionContext) {
    self.init(
      account: context.account, kind: .token, user: context.loginName.value ?? "",
      secret: token.value, expiresAt: token.expiresAt, isRecorded: token.isRecorded)
  }
}
