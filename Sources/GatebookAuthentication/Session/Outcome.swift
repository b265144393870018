public import GatebookCrypto
public import GatebookEvents

/// What a successful login proposes to the book; only the book writes.
public struct Outcome: Sendable {
  /// How the server proved who logged in.
  public enum Evidence: String, Sendable {
    /// The server named the user it authenticated.
    case identity
    /// The check URL refuses without credentials and accepts with them.
    case check
    /// The own record could be read; an administrator may read others' (Liferay 6.2).
    case ownRecord
    /// The server made a session for the name and the password, but named nobody.
    case session
  }

  /// Who logged in: what finds the account again.
  public var person: Person
  /// How that was proven.
  public var evidence: Evidence
  /// What the server told about the user; empty for methods without an identity.
  public var attributes: UserAttributes
  /// What authorises requests from now on; kept sealed until the session ends.
  public var proof: any SessionProof
  /// The account's cookies after the login.
  public var jar: CookieJar
  /// How long the session lives from now on; `nil` when the server does not say.
  public var lifetime: Duration?
  /// What may log in again by itself, where the proof cannot; kept only if the user saves it.
  public var credentials: (any SessionProof)?
  /// Attributes that tell random secrets apart without showing them: each becomes the secret's
  /// fingerprint under the account's key.
  public var fingerprints: [String: Secret] = [:]

  /// What the session may do, as the server granted it; `nil` where the method has no scopes.
  public var scope: String?
  /// Which endpoints the server has moved since the session was made or last renewed, by their names
  /// in its metadata.
  public var changedEndpoints: [String] = []

  /// Makes an outcome.
  public init(
    person: Person, evidence: Evidence, attributes: UserAttributes, proof: any SessionProof,
    jar: CookieJar, lifetime: Duration? = nil
  ) {
    self.person = person
    self.evidence = evidence
    self.attributes = attributes
    self.proof = proof
    self.jar = jar
    self.lifetime = lifetime
  }
}
