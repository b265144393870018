package import GatebookEvents

/// All rules for what an issuer signs about a user (OpenID Connect Core 1.0 section 3.1.3.7).
///
/// No claim leaves here before every rule was kept.
package struct IDTokenCheck: Sendable {
  /// The issuer of the settings.
  package let issuer: String
  /// The client's id.
  package let clientID: String
  /// The algorithms that are taken.
  package let algorithms: Set<SignatureAlgorithm>
  /// Whom a token may name beside this client.
  package let otherAudiences: Set<String>
  /// What OpenID Connect leaves to the application.
  package let rules: IDTokenRules
  /// The issuer's clock less ours.
  package let offset: Duration

  /// Makes the rules of one account.
  ///
  /// - Parameters:
  ///   - issuer: The issuer of the settings, compared byte for byte.
  ///   - clientID: The client's id.
  ///   - algorithms: The algorithms that are taken; RS256 alone unless said.
  ///   - otherAudiences: Whom a token may name beside this client; nobody unless said.
  ///   - rules: What OpenID Connect leaves to the application.
  ///   - offset: The issuer's clock less ours, as measured.
  /// - Throws: `configuration.invalid` for rules that cannot be meant, or no algorithm at all.
  package init(
    issuer: String, clientID: String, algorithms: Set<SignatureAlgorithm> = [.rs256],
    otherAudiences: Set<String> = [], rules: IDTokenRules = IDTokenRules(),
    offset: Duration = .zero
  ) throws(GatebookError) {
    try rules.check()
    guard !algorithms.isEmpty else {
      throw .setting("ID token", "no algorithm is allowed.", remedy: "Allow RS256.")
    }
    self.issuer = issuer
    self.clientID = clientID
    self.algorithms = algorithms
    self.otherAudiences = otherAudiences
    self.rules = rules
    self.offset = offset
  }

  /// Whether an ID token holds, and what it says.
  ///
  /// - Parameters:
  ///   - text: The token as it came.
  ///   - keys: The issuer's keys as they are known.
  ///   - answer: What it came with.
  ///   - now: The time by our clock.
  /// - Returns: The claims, the wish for the issuer's newest keys, or the rule that was broken.
  package func verdict(
    on text: String, keys: JSONWebKeySet, with answer: IDTokenAnswer, at now: Timestamp
  ) -> IDTokenVerdict<IDTokenClaims> {
    IDTokenVerdict { () throws(IDTokenRefusal) -> IDTokenClaims in
      let token = try verified(text, by: keys)
      let time = now + offset
      let claims = try claims(of: token.claims, at: time)
      switch answer {
      case .login(let login):
        try checkNonce(claims.nonce, of: login)
        try checkAuthentication(claims, of: login, at: time)
        try checkHash(.atHash, of: token, over: login.accessToken)
        try checkHash(.cHash, of: token, over: login.code)
      case .refresh(let first, let accessToken):
        try check(claims, after: first)
        try checkHash(.atHash, of: token, over: accessToken)
      }
      return claims
    }
  }

  /// Steps 1 to 4: the form, the algorithm, the key, the signature.
  func verified(
    _ text: String, by keys: JSONWebKeySet
  ) throws(IDTokenRefusal) -> VerifiedToken {
    var name = ""
    do throws(JSONWebTokenRefusal) {
      let token = try UnverifiedToken(text)
      name = token.header.algorithm
      return try token.verified(by: keys, allowing: algorithms)
    } catch .algorithm where GatebookError.isPlainName(name) {
      throw .algorithm(name)
    } catch {
      throw .token(error)
    }
  }
}

/// Rules for ID tokens, and for other data about a user that an issuer signs, that OpenID Connect
/// leaves to the application.
///
/// They are stored with the account: a later change applies from the next login.
///
/// Source: OpenID Connect Core 1.0 section 3.1.3.7, rules 9 to 11.
public struct IDTokenRules: Hashable, Sendable {
  /// How far the server's clock and this machine's may differ beyond the measured difference: 0 to
  /// 300 s (default: 60 s).
  public var clockSkew = Duration.seconds(60)
  /// The maximum age of an ID token (`iat`) in addition to ``clockSkew``, more than zero; `nil`,
  /// the default, for any.
  public var maximumAge: Duration?
  /// Whether a login accepts an ID token with a `nonce` although none was sent, as in flows without
  /// a login page; default: no.
  ///
  /// A nonce that was sent must always come back.
  public var ignoresUnexpectedNonce = false

  /// Makes the usual rules.
  public init() {}

  /// Refuses what cannot be meant.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard (Duration.zero ... .seconds(300)).contains(clockSkew) else {
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
