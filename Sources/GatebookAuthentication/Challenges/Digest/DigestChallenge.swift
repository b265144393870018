/// A challenge of the Digest scheme that can be answered (RFC 7616 section 3.3).
///
/// `charset` can only say `UTF-8`, and that is what is hashed without it too; it also tells a
/// server that knows RFC 7616 from one that does not.
package struct DigestChallenge: Sendable {
  /// The realm; may be empty.
  package let realm: String
  /// The server's nonce; the only part that changes during a session.
  package var nonce: String
  /// What the server wants back as it is.
  package let opaque: String?
  /// What can be protected, in the server's order; empty from an old server that knows no `qop`
  /// (RFC 2069).
  package let qualities: [DigestQuality]
  /// How to hash.
  package let algorithm: DigestAlgorithm
  /// The algorithm as the server wrote it; `nil` when it named none, which means MD5.
  package let algorithmText: String?
  /// Whether only the nonce was too old: name and password were right.
  package let isStale: Bool
  /// Whether the server wants the hash of the user name instead of the name.
  package let hashesUser: Bool
  /// Whether the server knows the parameter `username*`, which RFC 2617 does not have: it announces
  /// a charset, or a hash that only RFC 7616 has.
  package let takesExtendedName: Bool
  /// The URIs of the protection space as the server wrote them; empty for the whole server.
  package let domain: [String]

  /// Reads a challenge.
  ///
  /// - Returns: `nil` for another scheme and for what cannot be answered: no realm or nonce, an
  ///   algorithm that is unknown or not available here, a list of `qop` without one that is known,
  ///   and a `-sess` algorithm without `qop`: its key needs the client nonce, which only goes with
  ///   `qop`.
  package init?(_ challenge: AuthenticationChallenge) {
    guard challenge.scheme == "digest", let realm = challenge.realm,
      let nonce = challenge["nonce"], !nonce.isEmpty,
      let algorithm = DigestAlgorithm(name: challenge["algorithm"] ?? "MD5"),
      algorithm.hash.isAvailable
    else { return nil }
    // "Unrecognized options MUST be ignored."
    let qualities = challenge["qop"].map { Self.list($0) { $0 == .comma || $0.isBlank } }
    let known = (qualities ?? []).compactMap { DigestQuality(name: $0) }
    guard !known.isEmpty || (qualities == nil && !algorithm.isSession) else { return nil }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    self.qualities = known
    opaque = challenge["opaque"]
    algorithmText = challenge["algorithm"]
    // "stale … case-insensitive"; "If stale is false, or anything other than true …".
    isStale = challenge["stale"]?.equalsIgnoringCase("true") == true
    hashesUser = challenge["userhash"]?.equalsIgnoringCase("true") == true
    takesExtendedName =
      challenge["charset"]?.equalsIgnoringCase("UTF-8") == true || algorithm.hash != .md5
    domain = Self.list(challenge["domain"] ?? "", partedBy: \.isBlank)
  }

  /// What an answer protects; `nil` for an old server.
  ///
  /// The body only where the server insists: many servers announce `auth-int` and cannot do it.
  package var quality: DigestQuality? {
    qualities.contains(.authentication) ? .authentication : qualities.first
  }

  private static func list(_ text: String, partedBy mark: (UInt8) -> Bool) -> [String] {
    Array(text.utf8).split(whereSeparator: mark).map(\.text)
  }
}

/// What a Digest answer protects: the values of `qop` (RFC 7616 section 3.3).
package enum DigestQuality: String, Sendable, CaseIterable {
  /// Method and URI.
  case authentication = "auth"
  /// The body too.
  case integrity = "auth-int"

  /// Reads one value, without regard to case; `nil` for an unknown one.
  init?(name: some StringProtocol) {
    guard let known = Self.allCases.first(where: { $0.rawValue.equalsIgnoringCase(name) }) else {
      return nil
    }
    self = known
  }
}
