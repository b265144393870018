package import GatebookEvents

/// The user that a server names, and what it says of that user.
package struct NamedUser: Equatable, Sendable {
  /// `sub`.
  package let subject: String
  /// All other members about the person.
  package let facts: Facts
}

extension OAuth2Login {
  /// The user that a userinfo page names by `sub`, without an ID token to compare with.
  ///
  /// Source: OpenID Connect Core 1.0 section 5.3.2.
  ///
  /// - Parameters:
  ///   - reply: The page.
  ///   - keys: The server's keys, for a page that is signed; a server without metadata signs none.
  ///   - now: The time by our clock.
  /// - Returns: The user; refused as `userInfo` for a page that names nobody.
  /// - Throws: `configuration.invalid` for algorithms that cannot be.
  func user(
    in reply: HTTPReply, keys: JSONWebKeySet, at now: Timestamp
  ) throws(GatebookError) -> IDTokenVerdict<NamedUser> {
    guard reply.status == 200 else { return .refused(.userInfo) }
    guard metadata == nil else {
      return try identityCheck().userInfo(reply.body, keys: keys, at: now)
    }
    guard let facts = JSONDocument.read(reply.body)?.object,
      let subject = facts["sub"]?.text, (1...255).contains(subject.unicodeScalars.count)
    else { return .refused(.userInfo) }
    return .accepted(NamedUser(subject: subject, facts: facts))
  }
}
