internal import GatebookCrypto
internal import GatebookEvents

/// Whose a login's tokens are, and how that was proven.
struct OAuth2Identity: Sendable {
  /// The person's id at the server, or the name under which the app keeps the account.
  var userID: String
  /// The name to show: what was typed, or what the server calls the person.
  var loginName: String
  /// How it was proven.
  var evidence: Outcome.Evidence
  /// What the server told of the person.
  var attributes = UserAttributes()
  /// What the ID token said.
  var claims: IDTokenClaims?
  /// The ID token itself.
  var idToken: Secret?
  /// The server's keys as they came, for the ID tokens of refreshes.
  var keys: String?
  /// Whether the check URL refuses strangers with a 403.
  var isForbiddenToStrangers = false
  /// Whether `userID` is what the server calls the person, and no `sub`.
  var isUsername = false

  /// Takes what a server told of a person it names.
  ///
  /// - Parameters:
  ///   - subject: `sub`.
  ///   - facts: All other claims about the person.
  ///   - typed: The name that was typed.
  init(subject: String, facts: Facts, typed: String?) {
    userID = subject
    let named = ["preferred_username", "email"].lazy
      .compactMap { facts[$0]?.text }.first { !$0.isEmpty }
    loginName = typed ?? named ?? subject
    evidence = .identity
    attributes = Self.attributes(facts, subject: subject)
  }

  /// Takes a name that the app knows.
  init(named name: String, evidence: Outcome.Evidence) {
    userID = name
    loginName = name
    self.evidence = evidence
  }

  /// The claims as attributes; those of the protocol alone are dropped.
  static func attributes(_ facts: Facts, subject: String) -> UserAttributes {
    var attributes: Facts = ["sub": .text(subject)]
    for name in facts.names where !IDTokenClaims.own.union(protocolOnly).contains(name) {
      attributes[name] = facts[name]?.flattened
    }
    return UserAttributes(attributes)
  }

  /// Claims that are about the server's own session (OpenID Connect Front-Channel Logout 1.0
  /// section 3, Session Management 1.0 section 2), and how some servers call a token's kind.
  private static let protocolOnly: Set<String> = ["session_state", "sid", "typ"]
}
