/// What a server granted, as an event says it.
package struct Grant: Hashable, Sendable {
  /// When the server's published metadata was fetched.
  package var discovered: Timestamp?
  /// The rule that the ID token breaks; the ID token does not count.
  package var idToken: String?
  /// Scopes that were asked for and not granted, with blanks between.
  package var missing: String?
  /// The scopes as granted, with blanks between.
  package var scope: String?
  /// Whether Gatebook showed a key, and the server gave a token that is not bound to it.
  package var isUnbound = false

  package init() {}
}
