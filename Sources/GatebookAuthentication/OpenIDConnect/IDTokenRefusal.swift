package import GatebookEvents
internal import GatebookSystem

/// Why an ID token, or the user it stands for, was not accepted: a reason for each rule.
///
/// Source: OpenID Connect Core 1.0 sections 3.1.3.7, 5.3.4 and 12.2.
package struct IDTokenRefusal: Error, Hashable, Sendable {
  /// The reason, without any of the server's words.
  package let reason: String
  private let kind: Kind

  /// What a rule is about: it decides the code of the error, and what helps.
  private enum Kind: Hashable {
    case rule, clock, strength, otherUser, page
    case token(JSONWebTokenRefusal)
    case algorithm(String)
    case untrusted([String])
  }

  private init(_ reason: String, _ kind: Kind = .rule) {
    self.reason = reason
    self.kind = kind
  }

  /// It is no token that may be trusted.
  package static func token(_ refusal: JSONWebTokenRefusal) -> Self {
    Self(refusal.rawValue, .token(refusal))
  }
  /// It was signed by an algorithm, which is named, that is unknown or not allowed here.
  package static func algorithm(_ name: String) -> Self {
    Self(JSONWebTokenRefusal.algorithm.rawValue, .algorithm(name))
  }
  /// A claim, which is named, is of another kind than its own.
  package static func malformed(_ claim: Claim) -> Self { Self("\(claim.rawValue) malformed") }
  /// `iss` is missing.
  package static let issuerMissing = Self("iss missing")
  /// `iss` is not the account's issuer.
  package static let issuer = Self("iss")
  /// `sub` is missing or empty.
  package static let subjectMissing = Self("sub missing")
  /// `sub` has more than 255 characters.
  package static let subjectTooLong = Self("sub too long")
  /// `aud` does not name this client.
  package static let audience = Self("aud")
  /// `aud` names others, which are listed, that are not trusted.
  package static func audienceUntrusted(_ names: [String]) -> Self {
    Self("aud untrusted", .untrusted(names))
  }
  /// `azp` is not this client.
  package static let authorizedParty = Self("azp")
  /// `exp` is missing.
  package static let expiryMissing = Self("exp missing")
  /// Its time is over.
  package static let expired = Self("exp", .clock)
  /// `iat` is missing.
  package static let issuedAtMissing = Self("iat missing")
  /// It was made in the future.
  package static let issuedInFuture = Self("iat in the future", .clock)
  /// It was made longer ago than is allowed.
  package static let issuedTooLongAgo = Self("iat too long ago", .clock)
  /// Its time has not come.
  package static let notYetValid = Self("nbf", .clock)
  /// A nonce was sent and did not come back.
  package static let nonceMissing = Self("nonce missing")
  /// The nonce is another one.
  package static let nonce = Self("nonce")
  /// A nonce came although none was sent.
  package static let nonceUnexpected = Self("nonce unexpected")
  /// The age of the login was limited, and `auth_time` is missing.
  package static let authenticationTimeMissing = Self("auth_time missing", .strength)
  /// The person authenticated longer ago than was asked.
  package static let authenticationTooLongAgo = Self("auth_time too long ago", .strength)
  /// The person authenticated in the future.
  package static let authenticationInFuture = Self("auth_time in the future", .clock)
  /// The person was not authenticated in one of the ways that were asked for.
  package static let contextClass = Self("acr", .strength)
  /// `at_hash` is that of another access token.
  package static let accessTokenHash = Self("at_hash")
  /// `c_hash` is that of another code.
  package static let codeHash = Self("c_hash")
  /// After a refresh: the account's issuer is written in another way than at the login.
  package static let refreshedIssuer = Self("iss changed")
  /// After a refresh: `sub` is another one.
  package static let refreshedSubject = Self("sub changed", .otherUser)
  /// After a refresh: `azp` is another one.
  package static let refreshedAuthorizedParty = Self("azp changed")
  /// After a refresh: `auth_time` is another one.
  package static let refreshedAuthenticationTime = Self("auth_time changed")
  /// After a refresh: `nonce` is neither absent nor the first one.
  package static let refreshedNonce = Self("nonce changed")
  /// After a refresh: it was made before the first one.
  package static let refreshedBeforeFirst = Self("iat before the first")
  /// The userinfo endpoint's answer is neither a JSON object nor a token.
  package static let userInfo = Self("userinfo", .page)
  /// The userinfo endpoint answered for another user.
  package static let userInfoSubject = Self("userinfo sub", .page)

  /// The claims that are read.
  package enum Claim: String, Hashable, Sendable {
    /// The issuer.
    case iss
    /// The user's id at the issuer.
    case sub
    /// Whom it is for.
    case aud
    /// To whom it was given.
    case azp
    /// When it ends.
    case exp
    /// When it was made.
    case iat
    /// When it begins.
    case nbf
    /// What was sent with the request.
    case nonce
    /// When the person authenticated.
    case authTime = "auth_time"
    /// The hash of the access token.
    case atHash = "at_hash"
    /// The hash of the code.
    case cHash = "c_hash"
  }

  /// The refusal as an error, its reason in the cause.
  ///
  /// `identity.mismatch` for another user, `login.unprovable` for a login that is not as strong as
  /// demanded, `content.unexpected` for the rest; a refused token has the code of its own refusal.
  package var error: GatebookError {
    switch kind {
    case .token(let refusal): inItsWords(refusal.error)
    case .algorithm(let name): JSONWebTokenRefusal.error(ofAlgorithm: name).faulting(fault)
    case .untrusted(let names): untrusted(names)
    case .otherUser: mismatch
    case .clock: unexpected("Check this machine's clock and the server's.")
    case .strength:
      .atLogin(
        .loginUnprovable, fault,
        remedy: "Log in again, and authenticate as the server's page asks.",
        cause: "ID token: \(reason)", status: 200)
    case .rule, .page: unexpected("Check the issuer and the client ID, then log in again.")
    }
  }

  /// The refusal as the error that the server speaks of somebody else than the account's user.
  var mismatch: GatebookError {
    .atLogin(
      .identityMismatch, remedy: "Log in again as the account's user.",
      cause: "ID token: \(reason)"
    ).faulting(fault)
  }

  /// The refusal as an error that names the other audiences: the application may trust them.
  private func untrusted(_ names: [String]) -> GatebookError {
    let shown = names.prefix(4).filter { name in
      (1...200).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    let named = shown.isEmpty ? "" : "; it names \(shown.joined(separator: ", "))"
    var error = GatebookError.atLogin(
      .contentUnexpected, fault,
      remedy:
        "If they belong to the same service, allow them with the application's `trustedAudiences`.",
      cause: "ID token: \(reason)\(named)")
    error.setting = "trustedAudiences"
    return error.naming(shown)
  }

  /// The refusal, where the page about the user is refused: some servers sign it.
  package var errorOfUserInfo: GatebookError {
    let refused = error
    var names: String?
    if case .algorithm = kind { names = refused.message }
    var error = GatebookError(
      refused.code, .userInfo, names, kept: refused.kept, remedy: refused.remedy,
      cause: refused.cause?.replacing("ID token", with: "userinfo"), status: refused.status)
    error.setting = refused.setting
    return error
  }

  /// The refusal of a signature in the words of an ID token's.
  private func inItsWords(_ refusal: GatebookError) -> GatebookError {
    GatebookError(
      refusal.code, fault, kept: refusal.kept, remedy: refusal.remedy, cause: refusal.cause)
  }

  private func unexpected(_ remedy: String) -> GatebookError {
    .atLogin(.contentUnexpected, fault, remedy: remedy, cause: "ID token: \(reason)")
  }

  /// What failed, as the event of a failure tells it.
  package var fault: Fault { kind == .page ? Fault(code) : .idToken(code) }

  /// The reason as events tell it: of `a-z 0-9 _ . -`.
  package var code: String {
    reason.split(separator: " ").joined(separator: "-").lowercased()
  }
}
