package import GatebookEvents

/// Rules for ID tokens, and for other data about a user that an issuer signs, that OpenID Connect leaves to the
/// application.
///
/// They are stored with the account: a later change applies from the next login.
///
/// Source: OpenID Connect Core 1.0 section 3.1.3.7, rules 9 to 11.
public struct IDTokenRules: Hashable, Sendable {
  /// How far the server's clock and this machine's may differ beyond the measured difference: 0 to 300 s
  /// (default: 60 s).
  public var clockSkew = Duration.seconds(60)
  /// The maximum age of an ID token (`iat`) in addition to ``clockSkew``, more than zero; `nil`, the default,
  /// for any.
  public var maximumAge: Duration?
  /// Whether a login accepts an ID token with a `nonce` although none was sent, as in flows without a login
  /// page; default: no.
  ///
  /// A nonce that was sent must always come back.
  public var ignoresUnexpectedNonce = false

  /// Makes the usual rules.
  public init() {}
}

extension IDTokenRules {
  /// Refuses what cannot be meant.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard IDTokenCheck.skews.contains(clockSkew) else {
      throw .setting("clock skew", "it must be 0 to 300 s.", remedy: "Set it to 60 s.")
    }
    guard maximumAge.map({ $0 > .zero }) ?? true else {
      throw .setting(
        "maximum age", "it must be longer than nothing.", remedy: "Set a longer time, or none.")
    }
  }
}

extension IDTokenRules: StoredRecord {
  /// The rules, for the vault.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    clockSkew = try facts.required("clockSkewUs", kept?.clockSkew)
    ignoresUnexpectedNonce = facts.optional(
      "ignoresNonce", kept?.ignoresUnexpectedNonce, unless: false)
    maximumAge = facts.optional("maximumAgeUs", kept?.maximumAge)
  }
}
