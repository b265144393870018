/// How a ``FakeIdentityServer`` behaves.
public struct FakeIdentitySettings: Hashable, Sendable {
  /// How the application must show who it is.
  public enum ClientProof: Hashable, Sendable {
    /// By its id alone.
    case none
    /// With HTTP Basic, id and secret form-encoded (RFC 6749 section 2.3.1).
    case basic
    /// With its secret in the form.
    case post
    /// With an assertion that it signed (RFC 7523 section 2.2).
    case privateKey
  }

  /// How the application must show who it is.
  public var clientProof = ClientProof.none
  /// Whether the server lists that way among what it publishes of itself.
  public var listsClientProof = false
  /// How many questions about a code for another device are answered by `authorization_pending`.
  public var pendingPolls = 0
  /// How long access tokens live.
  public var lifetime = Duration.seconds(600)
  /// Whether a person's tokens can be renewed.
  public var givesRefreshTokens = true
  /// Whether a refresh token that was used is answered again with the same new tokens, as servers with
  /// a grace period do.
  public var hasGrace = false
  /// Whether the person denies what the application asks for.
  public var denies = false
  /// The name of the key that signs ID tokens: another one is a new key to whoever knows the old name.
  public var keyID = "fake-1"
  /// Whom the server takes the person for.
  public var subject = FakeIdentityServer.subject
  /// Whether the person can authenticate as strongly as an application asks for (`acr_values`).
  public var isStrong = true
  /// Scopes that are never granted.
  public var withheldScopes: Set<String> = []

  /// Makes settings: a public application, and a person who agrees at once.
  public init() {}
}
