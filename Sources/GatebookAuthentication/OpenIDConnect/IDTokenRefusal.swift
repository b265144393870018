package import GatebookEvents

/// Why an ID token, or the user it stands for, was not accepted: a reason for each rule.
///
/// Source: OpenID Connect Core 1.0 sections 3.1.3.7, 5.3.4 and 12.2.
package enum IDTokenRefusal: Error, Hashable, Sendable {
  /// It is no token that may be trusted.
  case token(JSONWebTokenRefusal)
  /// It was signed by an algorithm, which is named, that is unknown or not allowed here.
  case algorithm(String)
  /// A claim, which is named, is of another kind than its own.
  case malformed(Claim)
  /// `iss` is missing.
  case issuerMissing
  /// `iss` is not the account's issuer.
  case issuer
  /// `sub` is missing or empty.
  case subjectMissing
  /// `sub` has more than 255 characters.
  case subjectTooLong
  /// `aud` does not name this client.
  case audience
  /// `aud` names others, which are listed, that are not trusted.
  case audienceUntrusted([String])
  /// `azp` is not this client.
  case authorizedParty
  /// `exp` is missing.
  case expiryMissing
  /// Its time is over.
  case expired
  /// `iat` is missing.
  case issuedAtMissing
  /// It was made in the future.
  case issuedInFuture
  /// It was made longer ago than is allowed.
  case issuedTooLongAgo
  /// Its time has not come.
  case notYetValid
  /// A nonce was sent and did not come back.
  case nonceMissing
  /// The nonce is another one.
  case nonce
  /// A nonce came although none was sent.
  case nonceUnexpected
  /// The age of the login was limited, and `auth_time` is missing.
  case authenticationTimeMissing
  /// The person authenticated longer ago than was asked.
  case authenticationTooLongAgo
  /// The person authenticated in the future.
  case authenticationInFuture
  /// The person was not authenticated in one of the ways that were asked for.
  case contextClass
  /// `at_hash` is that of another access token.
  case accessTokenHash
  /// `c_hash` is that of another code.
  case codeHash
  /// After a refresh: the account's issuer is written in another way than at the login.
  case refreshedIssuer
  /// After a refresh: `sub` is another one.
  case refreshedSubject
  /// After a refresh: `azp` is another one.
  case refreshedAuthorizedParty
  /// After a refresh: `auth_time` is another one.
  case refreshedAuthenticationTime
  /// After a refresh: `nonce` is neither absent nor the first one.
  case refreshedNonce
  /// After a refresh: it was made before the first one.
  case refreshedBeforeFirst
  /// The userinfo endpoint's answer is neither a JSON object nor a token.
  case userInfo
  /// The userinfo endpoint answered for another user.
  case userInfoSubject

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
    switch self {
    case .token(let refusal): inItsWords(refusal.error)
    case .algorithm(let name): JSONWebTokenRefusal.error(ofAlgorithm: name).faulting(fault)
    case .audienceUntrusted(let names): untrusted(names)
    case .refreshedSubject: mismatch
    case .expired, .issuedInFuture, .issuedTooLongAgo, .notYetValid, .authenticationInFuture:
      unexpected("Check this machine's clock and the server's.")
    case .authenticationTimeMissing, .authenticationTooLongAgo, .contextClass:
      .atLogin(
        .loginUnprovable, fault,
        remedy: "Log in again, and authenticate as the server's page asks.",
        cause: "ID token: \(reason)", status: 200)
    case .malformed, .issuerMissing, .issuer, .subjectMissing, .subjectTooLong, .audience,
      .authorizedParty, .expiryMissing, .issuedAtMissing,
      .nonceMissing, .nonce, .nonceUnexpected, .accessTokenHash, .codeHash, .refreshedIssuer,
      .refreshedAuthorizedParty,
      .refreshedAuthenticationTime,
      .refreshedNonce, .refreshedBeforeFirst, .userInfo, .userInfoSubject:
      unexpected("Check the issuer and the client ID, then log in again.")
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
    if case .algorithm = self { names = refused.message }
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
  package var fault: Fault {
    switch self {
    case .userInfo, .userInfoSubject: Fault(code)
    default: .idToken(code)
    }
  }

  /// The reason as events tell it: of `a-z 0-9 _ . -`.
  package var code: String {
    reason.split(separator: " ").joined(separator: "-").lowercased()
  }

  /// The reason, without any of the server's words.
  package var reason: String {
    switch self {
    case .token(let refusal): refusal.rawValue
    case .algorithm: JSONWebTokenRefusal.algorithm.rawValue
    case .malformed(let claim): "\(claim.rawValue) malformed"
    case .issuerMissing: "iss missing"
    case .issuer: "iss"
    case .subjectMissing: "sub missing"
    case .subjectTooLong: "sub too long"
    case .audience: "aud"
    case .audienceUntrusted: "aud untrusted"
    case .authorizedParty: "azp"
    case .expiryMissing: "exp missing"
    case .expired: "exp"
    case .issuedAtMissing: "iat missing"
    case .issuedInFuture: "iat in the future"
    case .issuedTooLongAgo: "iat too long ago"
    case .notYetValid: "nbf"
    case .nonceMissing: "nonce missing"
    case .nonce: "nonce"
    case .nonceUnexpected: "nonce unexpected"
    case .authenticationTimeMissing: "auth_time missing"
    case .authenticationTooLongAgo: "auth_time too long ago"
    case .authenticationInFuture: "auth_time in the future"
    case .contextClass: "acr"
    case .accessTokenHash: "at_hash"
    case .codeHash: "c_hash"
    case .refreshedIssuer: "iss changed"
    case .refreshedSubject: "sub changed"
    case .refreshedAuthorizedParty: "azp changed"
    case .refreshedAuthenticationTime: "auth_time changed"
    case .refreshedNonce: "nonce changed"
    case .refreshedBeforeFirst: "iat before the first"
    case .userInfo: "userinfo"
    case .userInfoSubject: "userinfo sub"
    }
  }
}
