package import GatebookEvents

/// Whose a login's tokens are, and how that was proven.
struct OAuth2Identity: Sendable {
  /// What the session remembers of it.
  var kept: KeptIdentity
  /// How it was proven.
  let evidence: Outcome.Evidence
  /// What the server told of the person.
  var attributes = UserAttributes()

  /// Takes what a server told of a person it names.
  ///
  /// - Parameters:
  ///   - subject: `sub`.
  ///   - facts: All other claims about the person.
  ///   - typed: The name that was typed.
  init(subject: String, facts: Facts, typed: String?) {
    let named = ["preferred_username", "email"].lazy
      .compactMap { facts[$0]?.text }.first { !$0.isEmpty }
    kept = KeptIdentity(userID: subject, loginName: typed ?? named ?? subject, isNamed: true)
    evidence = .identity
    attributes = Self.attributes(facts, subject: subject)
  }

  /// Takes a name that the app knows.
  init(named name: String, evidence: Outcome.Evidence) {
    kept = KeptIdentity(userID: name, loginName: name, isNamed: false)
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

/// The user that a server names, and what it says of that user.
package struct NamedUser: Equatable, Sendable {
  /// `sub`.
  package let subject: String
  /// All other members about the person.
  package let facts: Facts
}

extension OAuth2Login {
  /// The user that a userinfo page names by `sub`.
  ///
  /// Source: OpenID Connect Core 1.0 section 5.3.2.
  ///
  /// - Parameters:
  ///   - reply: The page.
  ///   - keys: The server's keys, for a page that is signed; a server without metadata signs none.
  ///   - claims: The ID token, whose user it must name; `nil` for none to compare with.
  ///   - now: The time by our clock.
  /// - Returns: The user; refused as `userInfo` for a page that names nobody.
  /// - Throws: `configuration.invalid` for algorithms that cannot be.
  func user(
    in reply: HTTPReply, keys: JSONWebKeySet, of claims: IDTokenClaims?, at now: Timestamp
  ) throws(GatebookError) -> IDTokenVerdict<NamedUser> {
    guard reply.status == 200 else { return .refused(.userInfo) }
    guard metadata == nil, claims == nil else {
      return try identityCheck().userInfo(reply.body, keys: keys, of: claims, at: now)
    }
    guard let facts = JSONDocument.read(reply.body)?.object,
      let subject = facts["sub"]?.text, (1...255).contains(subject.unicodeScalars.count)
    else { return .refused(.userInfo) }
    return .accepted(NamedUser(subject: subject, facts: facts))
  }
}
