package import GatebookCrypto
package import GatebookEvents

/// A proof that is made of OAuth 2 tokens: when they are renewed, and how long they serve.
package protocol TokenProof: SessionProof {
  /// What the server granted.
  var tokens: OAuth2Tokens { get }

  /// Whether the session can be renewed.
  var isRenewable: Bool { get }
}

extension TokenProof {
  /// With a refresh token.
  package var isRenewable: Bool { tokens.refresh != nil }

  /// From 80 % of the access token's life on.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool {
    isRenewable && tokens.isDue(at: Self.age(since: renewed, at: moment))
  }

  /// When less than a minute, and less than a tenth of its life, is left.
  package func isRenewalUrgent(since renewed: Moment, at moment: Moment) -> Bool {
    isRenewable && isNearlyOver(since: renewed, at: moment)
  }

  /// When less than a minute, and less than a tenth of the access token's life, is left.
  package func isNearlyOver(since renewed: Moment, at moment: Moment) -> Bool {
    tokens.isUrgent(at: Self.age(since: renewed, at: moment))
  }

  /// With a refresh token, a password or the application's own secret; an access token alone only
  /// serves until its end.
  package var canLogInAgain: Bool { renewal(jar: CookieJar()) != nil }

  /// Yes: servers rotate refresh tokens.
  package var isSpentByRenewal: Bool { tokens.refresh != nil }

  /// The refresh token, or the access token where there is none.
  package var fingerprinted: Secret? { tokens.refresh ?? tokens.access }

  /// The access token; `nil` for one that is bound to a key, which nobody else can use.
  package func bearer(since renewed: Moment) -> BearerToken? {
    tokens.isBound ? nil : BearerToken(tokens, since: renewed)
  }

  /// Until the access token's end; an outage of the token endpoint does not take it away.
  package func isUsable(since renewed: Moment, at moment: Moment) -> Bool {
    tokens.isAlive(at: Self.age(since: renewed, at: moment))
  }

  private static func age(since renewed: Moment, at moment: Moment) -> Duration {
    max(moment.boot - renewed.boot, moment.wall - renewed.wall)
  }
}
