/// What a security check thinks of the credentials that it was sent.
enum CredentialsVerdict: Hashable, Sendable {
  /// They are right, belong to a user, and may say whether to remember the login.
  case valid(FakeMobileFirstIdentity?, remember: Bool?)
  /// They are wrong, for this reason.
  case wrong(String)
}
