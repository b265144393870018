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
  /// It came through the browser with an access token, and `at_hash` is missing.
  case accessTokenHashMissing
  /// `at_hash` is that of another access token.
  case accessTokenHash
  /// It came through the browser with a code, and `c_hash` is missing.
  case codeHashMissing
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
}
