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

  /// The scopes as granted; none where nobody said.
  package var scopes: [String] { Self.names(scope) }

  /// Scopes that were asked for and not granted.
  package var missingScopes: [String] { Self.names(missing) }

  private static func names(_ list: String?) -> [String] {
    (list ?? "").split(separator: " ").map(String.init)
  }

  /// What was asked for and not granted, as a sentence; empty for nothing.
  var ungranted: String {
    missing == nil ? "" : " Not granted: \(missingScopes.joined(separator: ", "))."
  }

  /// What is said of an ID token in an answer that is ignored; empty for none.
  static func ignored(_ idToken: String?) -> String {
    guard let idToken else { return "" }
    let refusal = Fault.idToken(idToken).meaning() ?? "the server's ID token was rejected"
    return " The ID token in that answer is ignored: \(refusal) (\(idToken))."
  }
}
