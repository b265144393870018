internal import GatebookCrypto
package import GatebookEvents

/// What a token endpoint granted (RFC 6749 section 5.1).
package struct OAuth2Tokens: Sendable {
  /// The bearer token.
  var access: Secret
  /// What renews it; `nil` when the server gave none.
  var refresh: Secret?
  /// How long the access token lives from the moment its request was sent, as the server says it.
  ///
  /// `nil` when the server does not say: that means unknown, not expired.
  var lifetime: Duration?
  /// What was granted; `nil` when the server does not say: as asked.
  var scope: String?
  /// Whether the access token is bound to a key, whose proof goes with it (RFC 9449 section 5).
  package internal(set) var isBound = false
  /// What the server told besides.
  package internal(set) var others = TokenMembers()

  /// Reads a granting answer; `nil` when it is none.
  ///
  /// Judged by content: servers label JSON as they like.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - hasProof: Whether a proof of a key was sent: only then a token may be bound to it.
  ///   - isRenewal: Whether a refresh was asked for, which has used up what it was asked with: then
  ///     a 201 counts too, and so does an answer whose scope cannot be read.
  init?(_ reply: HTTPReply, hasProof: Bool = false, isRenewal: Bool = false) {
    guard reply.status == 200 || (isRenewal && reply.status == 201),
      let facts = JSONDocument.read(reply.body)?.object,
      let access = facts["access_token"]?.text, Self.isToken(access),
      let type = facts["token_type"]?.text
    else { return nil }
    isBound = hasProof && type.equalsIgnoringCase("dpop")
    guard isBound || type.equalsIgnoringCase("bearer") else { return nil }
    guard isRenewal || Self.isScope(facts["scope"]) else { return nil }
    self.access = Secret(access)
    refresh = facts["refresh_token"]?.text.flatMap { $0.isEmpty ? nil : Secret($0) }
    // No server grants a token that is over at once: 0 says no more than no word does.
    lifetime = facts["expires_in"].flatMap { Self.seconds($0) }.flatMap { $0 > .zero ? $0 : nil }
    scope = Self.scope(facts["scope"])
    others = TokenMembers(of: facts)
  }

  /// RFC 6749 appendix A.12: `access-token = 1*VSCHAR`, which is %x20-7E.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Whether a scope can be read: a text (RFC 6749 section 3.3), or an array of texts, as some
  /// servers send it; `null` is none.
  static func isScope(_ value: FactValue?) -> Bool {
    value == nil || value == .null || scope(value) != nil
  }

  /// The scope with blanks between its names; `nil` for none, and for one that cannot be read.
  private static func scope(_ value: FactValue?) -> String? {
    guard let list = value?.list else { return value?.text }
    let names = list.compactMap(\.text)
    return names.count == list.count ? names.joined(separator: " ") : nil
  }

  /// An integer, a fraction or a decimal text, as whole seconds; servers send all of them.
  static func seconds(
    _ value: FactValue, rounded rule: FloatingPointRoundingRule = .towardZero
  ) -> Duration? {
    switch value {
    case .integer(let seconds): return (0...maximum).contains(seconds) ? .seconds(seconds) : nil
    case .text(let text):
      // Such as 3600.5 and 3.6e+03.
      guard let seconds = Double(text), (0...Double(maximum)).contains(seconds) else { return nil }
      if rule == .towardZero, seconds < 1 { return .microseconds(Int64(seconds * 1_000_000)) }
      return .seconds(Int64(seconds.rounded(rule)))
    case .null, .bool, .list, .object: return nil
    }
  }

  /// A century: no server means more, and sums stay in range.
  private static let maximum: Int64 = 3_153_600_000
}

extension OAuth2Tokens {
  /// The tokens after a renewal.
  ///
  /// An answer without a refresh token, a scope or another member keeps what was there (RFC 6749
  /// section 6).
  func renewed(by renewed: OAuth2Tokens) -> OAuth2Tokens {
    var tokens = renewed
    tokens.refresh = renewed.refresh ?? refresh
    tokens.scope = renewed.scope ?? scope
    tokens.others = others.renewed(by: renewed.others)
    return tokens
  }

  /// The tokens after an answer whose access token cannot be used, and that brought another refresh
  /// token: "the client MUST discard the old refresh token and replace it with the new refresh
  /// token" (RFC 6749 section 6).
  ///
  /// - Returns: `nil` where it brought none.
  func rotated(by unusable: OAuth2Tokens) -> OAuth2Tokens? {
    guard let next = unusable.refresh, next != refresh else { return nil }
    var tokens = self
    tokens.refresh = next
    return tokens
  }

  /// Reads the tokens of a granting answer that cannot be used as they are, such as those of an
  /// unknown type; `nil` for no tokens.
  init?(unusable reply: HTTPReply) {
    guard [200, 201].contains(reply.status), let facts = JSONDocument.read(reply.body)?.object,
      facts["access_token"]?.text != nil || facts["refresh_token"]?.text != nil
    else { return nil }
    access = Secret(facts["access_token"]?.text ?? "")
    refresh = facts["refresh_token"]?.text.flatMap { $0.isEmpty ? nil : Secret($0) }
  }

  /// Each token, the refresh token first, with the parameters of a question about it (RFC 7009
  /// section 2.1).
  var questions: [(token: Secret, parameters: [(name: String, value: String)])] {
    [(refresh, "refresh_token"), (access.isEmpty ? nil : access, "access_token")].compactMap {
      token, hint in
      token.map { ($0, [("token", $0.text), ("token_type_hint", hint)]) }
    }
  }

  /// The field that authorises a request (RFC 6750 section 2.1, RFC 9449 section 7.1).
  var field: HTTPField {
    HTTPField("Authorization", "\(isBound ? "DPoP" : "Bearer") \(access.text)")
  }

  /// Whether the access token should be renewed: from 80 % of its life on.
  ///
  /// Never if its lifetime is not known: then only a refusal shows it.
  func isDue(at age: Duration) -> Bool {
    guard let lifetime else { return false }
    return age >= lifetime - lifetime / 5
  }

  /// Whether the access token is so nearly over that a request must wait for the renewal: less than
  /// a minute, and less than a tenth of its life, is left.
  func isUrgent(at age: Duration) -> Bool {
    guard let lifetime else { return false }
    return lifetime - age < min(.seconds(60), lifetime / 10)
  }

  /// Whether the access token is still valid; `true` if its lifetime is not known.
  func isAlive(at age: Duration) -> Bool {
    guard let lifetime else { return true }
    return age < lifetime
  }
}

extension OAuth2Tokens: StoredRecord {
  /// The tokens, and what the server told of them.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    access = try facts.required("access", kept?.access)
    isBound = facts.optional("bound", kept?.isBound, unless: false)
    lifetime = facts.optional("lifetimeUs", kept?.lifetime)
    others = facts.optional("others", kept?.others, unless: TokenMembers())
    refresh = facts.optional("refresh", kept?.refresh)
    scope = facts.optional("scope", kept?.scope)
  }
}
