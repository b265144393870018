internal import GatebookCrypto
internal import GatebookEvents

extension OAuth1Token: StoredRecord {
  /// The token, never empty, and its secret.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      token: try facts.required("token", kept?.token),
      secret: try facts.required("secret", kept?.secret))
    if token.isEmpty { throw Unreadable() }
  }
}
