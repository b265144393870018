package import GatebookCrypto
package import GatebookEvents

/// What a successful login proposes to the book; only the book writes.
package struct Outcome: Sendable {
  /// How the server proved who logged in.
  package enum Evidence: String, Sendable {
    /// The server named the user it authenticated.
    case identity
    /// The check URL refuses without credentials and accepts with them.
    case check
    /// The own record could be read; an administrator may read others' (Liferay 6.2).
    case ownRecord
    /// The server made a session for the name and the password, but named nobody.
    case session
    /// The server granted a token to the client itself: there is no user.
    case token
  }

  /// Who logged in: what finds the account again.
  package var person: Person
  /// How that was proven.
  package var evidence: Evidence
  /// What the server told about the user; empty for methods without an identity.
  package var attributes: UserAttributes
  /// What authorizes requests from now on; kept encrypted until the session ends.
  package var proof: any SessionProof
  /// The account's cookies after the login.
  package var jar: CookieJar
  /// How long the session lives from `sent` on; `nil` when the server does not say.
  package var lifetime: Duration?
  /// When the request was sent that brought what the session lives by; `nil`: not known, as late as
  /// now.
  package var sent: Moment?
  /// How far the server's clock is from ours; `nil` when no answer showed it.
  package var offset: Duration?
  /// What may log in again automatically, if the proof cannot; kept only if the user saves it.
  package var credentials: (any SessionProof)?
  /// What is kept if the user saves it.
  package var saved: any SessionProof { credentials ?? proof }
  /// Attributes that tell random secrets apart without showing them: each becomes the secret's
  /// fingerprint under the account's key.
  package var fingerprints: [String: Secret] = [:]

  /// Names in the answer that only repeat a secret, such as a token: they must not be in the clear.
  package var leaks: Set<String> = []
  /// What the session may do, as the server granted it; `nil` where the method has no scopes.
  package var scope: String?
  /// Whether the server granted a bearer token although it received a key to bind it to.
  package var isUnbound = false
  /// Why the ID token that a renewal brought counts for nothing: the code of the rule that it
  /// breaks, as events tell it; `nil` for one that holds, and for none.
  package var refusedIDToken: String?
  /// Why it may make no session by a login, though a renewal keeps its refresh token; `nil` for no
  /// reason.
  package var unfitForLogin: GatebookError?
  /// Why a renewal makes the session live no longer: its answer brought another refresh token, and
  /// nothing else that can be used; `nil` for no reason.
  ///
  /// It is recorded all the same: what was sent is used up.
  package var partialRenewal: GatebookError?
  /// Which endpoints the server has moved since the session was made or last renewed, by their
  /// names in its metadata.
  package var changedEndpoints: [String] = []
  /// When what the server publishes of itself was asked for, as it was used; `nil` where nothing
  /// was.
  package var discovered: Timestamp?

  /// The outcome of a renewal that failed and still brought another refresh token.
  ///
  /// - Parameter failure: What its answer means.
  /// - Returns: It, with that failure for the caller.
  func falling(short failure: GatebookError) -> Outcome {
    var outcome = self
    outcome.partialRenewal = failure.keeping(
      "The new refresh token is kept, and the session's access token works until it expires.")
    outcome.unfitForLogin = failure
    return outcome
  }

  /// Makes an outcome.
  package init(
    person: Person, evidence: Evidence, attributes: UserAttributes = UserAttributes(),
    proof: any SessionProof, jar: CookieJar = CookieJar(), lifetime: Duration? = nil
  ) {
    self.person = person
    self.evidence = evidence
    self.attributes = attributes
    self.proof = proof
    self.jar = jar
    self.lifetime = lifetime
  }
}
