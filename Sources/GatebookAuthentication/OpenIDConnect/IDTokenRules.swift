internal import GatebookEvents

/// How strictly ID tokens, and what else an issuer signs about a user, are checked where OpenID Connect
/// leaves it to the application.
///
/// It is kept with the account: a later change is for the next login.
///
/// Source: OpenID Connect Core 1.0 section 3.1.3.7, rules 9 to 11.
public struct IDTokenRules: Hashable, Sendable {
  /// How far the server's clock and this machine's may differ beyond what was measured: 0 to 300 s, 60 s
  /// unless said.
  public var clockSkew = Duration.seconds(60)
  /// How long ago an ID token may have been made (`iat`), beside ``clockSkew``: more than nothing; `nil`,
  /// for any time, unless said.
  public var maximumAge: Duration?
  /// Whether a login takes an ID token with a `nonce` where none was sent, as in the flows without a page
  /// of the server; it is refused unless said.
  ///
  /// A nonce that was sent must come back all the same.
  public var ignoresUnexpectedNonce = false

  /// Makes the usual rules.
  public init() {}
}

extension IDTokenRules {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let skew = record["clockSkewUs"]?.integer else { return nil }
    clockSkew = .microseconds(skew)
    maximumAge = record["maximumAgeUs"]?.integer.map { .microseconds($0) }
    ignoresUnexpectedNonce = record["ignoresNonce"]?.bool ?? false
  }

  /// The rules for the vault.
  var record: Facts {
    [
      "clockSkewUs": .integer(clockSkew.microseconds),
      "ignoresNonce": ignoresUnexpectedNonce ? true : nil,
      "maximumAgeUs": .optional(maximumAge?.microseconds),
    ]
  }

  /// Refuses what cannot be meant.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard IDTokenCheck.skews.contains(clockSkew) else {
      throw .setting("clock skew", "it is not 0 to 300 s.", remedy: "Set it to 60 s.")
    }
    guard maximumAge.map({ $0 > .zero }) ?? true else {
      throw .setting(
        "maximum age", "no ID token is that new.", remedy: "Set more than nothing, or none.")
    }
  }
}
