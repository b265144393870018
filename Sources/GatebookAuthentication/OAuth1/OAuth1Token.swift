package import GatebookCrypto
internal import GatebookEvents

/// A token with its secret: the temporary one of a login, or a session's (RFC 5849 section 1.1).
package struct OAuth1Token: Equatable, Sendable {
  /// The value of `oauth_token`.
  package var token: Secret
  /// What requests are signed with; may be empty.
  package var secret: Secret

  /// Makes a token.
  package init(token: Secret, secret: Secret) {
    self.token = token
    self.secret = secret
  }
}

extension OAuth1Token: StoredRecord {
  /// The token, never empty, and its secret.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      token: try facts.required("token", kept?.token),
      secret: try facts.required("secret", kept?.secret))
    if token.isEmpty { throw Unreadable() }
  }
}
