internal import GatebookCrypto
internal import GatebookEvents

/// What a session remembers of whose it is, and of what must not change.
struct KeptIdentity: Sendable {
  /// What came of the ID token of a refresh.
  enum Taking: Sendable {
    /// It can be trusted, and says that the account's user is still who it is.
    case trusted
    /// It counts for nothing.
    case refused(IDTokenRefusal)
    /// Its key is none of those at hand.
    case unknownKey
    /// It was not looked at: the account's name is the app's own, which no server says.
    case ignored
  }

  /// The person's id at the server, or the name under which the app keeps the account.
  let userID: String
  /// The name to show.
  let loginName: String
  /// Whether the server named the person.
  let isNamed: Bool
  /// Whether `userID` is what the server calls the person, and no `sub`.
  var isUsername = false
  /// Whether the check URL refuses strangers with a 403.
  var isForbiddenToStrangers = false
  /// What the login's own ID token said.
  var claims: IDTokenClaims?
  /// That ID token itself, by which the server's logout page knows whose session to end.
  var idToken: Secret?
  /// What that ID token told about the person: no later answer says it again.
  var told = Facts()
  /// The server's keys as they came.
  var keys: String?
  /// An ID token of a refresh whose key was not known: it is checked as soon as the keys are.
  var unchecked: String?

  /// Of tokens of which it is not known whose they are.
  static let nobody = KeptIdentity(userID: "", loginName: "", isNamed: false)

  /// The keys; none if they are not known.
  var keySet: JSONWebKeySet {
    let read = keys.map { Array($0.utf8) }.flatMap { try? JSONWebKeySet(document: $0) }
    return read ?? JSONWebKeySet([])
  }

  /// Takes the ID token of a refresh, which proves nothing new, but must not contradict the
  /// login's.
  ///
  /// The new tokens came over TLS from the server itself. An ID token that cannot be trusted is
  /// dropped, and the tokens stay: to lose them would cost the session. Where the login had none,
  /// the first that can be trusted takes its place.
  ///
  /// - Parameters:
  ///   - idToken: The ID token.
  ///   - tokens: The tokens it came with.
  ///   - check: The rules.
  ///   - now: Now.
  /// - Returns: What came of it.
  /// - Throws: `identity.mismatch` for another user's.
  mutating func take(
    _ idToken: String, with tokens: OAuth2Tokens, _ check: IDTokenCheck, at now: Timestamp
  ) throws(GatebookError) -> Taking {
    unchecked = nil
    guard isNamed else { return .ignored }
    let answer: IDTokenAnswer =
      if let claims { .refresh(first: claims, accessToken: tokens.access) } else {
        .login(IDTokenAnswer.Login(nonce: nil, accessToken: tokens.access))
      }
    switch check.verdict(on: idToken, keys: keySet, with: answer, at: now) {
    case .accepted(let told):
      guard told.subject.hasSameBytes(as: userID) else {
        throw IDTokenRefusal.refreshedSubject.error
      }
      if claims == nil { claims = told }
      return .trusted
    case .unknownKey:
      unchecked = idToken
      return .unknownKey
    // OpenID Connect Core 1.0 section 5.7: only `sub` and `iss` together tell who somebody is. What
    // the server has signed for another issuer, with keys that they share, is another user's.
    case .refused(.issuer): throw check.anotherIssuer(in: idToken, keys: keySet)
    case .refused(.refreshedSubject): throw IDTokenRefusal.refreshedSubject.error
    case .refused(let refusal): return .refused(refusal)
    }
  }
}

extension KeptIdentity: StoredRecord {
  /// The identity for the vault.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    claims = try facts.readable("claims", kept?.claims)
    isForbiddenToStrangers = try facts.required("forbidden", kept?.isForbiddenToStrangers)
    idToken = facts.optional("idToken", kept?.idToken)
    keys = facts.optional("keys", kept?.keys)
    loginName = try facts.required("loginName", kept?.loginName)
    isNamed = try facts.required("named", kept?.isNamed)
    told = facts.optional("told", kept?.told, unless: [:])
    unchecked = facts.optional("unchecked", kept?.unchecked)
    userID = try facts.required("userID", kept?.userID)
    isUsername = facts.optional("username", kept?.isUsername, unless: false)
  }
}
