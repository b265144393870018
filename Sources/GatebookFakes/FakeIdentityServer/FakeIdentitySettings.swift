/// How a ``FakeIdentityServer`` behaves.
public struct FakeIdentitySettings: Hashable, Sendable {
  /// How the application must show who it is.
  public enum ClientProof: String, Hashable, Sendable {
    /// By its id alone.
    case none
    /// With HTTP Basic, id and secret form-encoded (RFC 6749 section 2.3.1).
    case basic = "client_secret_basic"
    /// With its secret in the form.
    case post = "client_secret_post"
    /// With an assertion that it signed (RFC 7523 section 2.2).
    case privateKey = "private_key_jwt"
  }

  /// An algorithm of signatures (RFC 7518 section 3.1, RFC 8037 section 3.1).
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
  }

  /// What becomes of a token's signature.
  public enum Signature: Hashable, Sendable {
    /// It is the key's.
    case whole
    /// One bit of it is another one.
    case spoilt
    /// There is none: its part of the token is empty.
    case missing
    /// It is HMAC-SHA256 with the client's secret, as for `HS256`, whatever the algorithm is
    /// called.
    case clientSecret
  }

  /// A public key that is published before the one that signs.
  public enum OtherKey: Hashable, Sendable, CaseIterable {
    /// One for the same algorithm that signs nothing.
    case twin
    /// One for signatures of another algorithm.
    case otherAlgorithm
    /// One of the same type, marked for encryption (RFC 7517 section 4.2).
    case encrypting
    /// One of a `kty` that nobody knows.
    case unknown
    /// One without its numbers.
    case broken
    /// The one that signs, which so is published twice.
    case same
  }

  /// An answer, or a part of one, whose members can be changed.
  public enum Place: Hashable, Sendable, CaseIterable {
    /// The server's description of itself.
    case metadata
    /// The public key of its ID tokens.
    case key
    /// The token endpoint's granting answer.
    case grant
    /// The header of its ID tokens.
    case header
    /// The content of its ID tokens.
    case claims
    /// The page about the person, also where it is signed.
    case userInfo
    /// The parameters of the redirect from its page: plain texts, not JSON.
    case redirect
  }

  /// How the application must show who it is.
  public var clientProof = ClientProof.none
  /// Ids of further applications, which show who they are by that alone.
  public var otherClientIDs: Set<String> = []
  /// Whether the server lists that way among what it publishes of itself.
  public var listsClientProof = false
  /// How many questions about a code for another device are answered by `authorization_pending`.
  public var pendingPolls = 0
  /// How long access tokens live.
  public var lifetime = Duration.seconds(600)
  /// Whether a person's tokens can be renewed.
  public var givesRefreshTokens = true
  /// Whether a refresh token that was used is answered again with the same new tokens, as servers
  /// with a grace period do.
  public var hasGrace = false
  /// Whether the person denies what the application asks for.
  public var denies = false
  /// The name of the key that signs ID tokens: `fake-1` is the first one, any other name a new key.
  public var keyID = "fake-1"
  /// What signs ID tokens.
  public var algorithm = Algorithm.rs256
  /// What becomes of their signatures.
  public var signature = Signature.whole
  /// The keys that are published besides.
  public var otherKeys: [OtherKey] = []
  /// Whether the numbers of published keys end with `=`, as in base64 (RFC 7518 section 2 forbids
  /// it).
  public var padsKeys = false
  /// How many answers with the keys are still of the time before the one that signs.
  public var staleKeyAnswers = 0
  /// Whether the page about the person is a token that is signed like an ID token.
  public var signsUserInfo = false
  /// What follows that token in its answer.
  public var endsUserInfo = ""
  /// What is changed in answers, by name: a value in JSON, or `nil` to leave it out.
  public var changes: [Place: [String: String?]] = [:]
  /// Whether requests can be pushed (RFC 9126).
  public var takesPushedRequests = false
  /// Whether tokens are bound to the key of the application's proofs (RFC 9449).
  public var bindsTokens = false
  /// What such proofs must hold; `nil` for nothing.
  public var proofNonce: String?
  /// Whether each answer of `/notes` brings another nonce for the proofs, which they must hold from
  /// then on (RFC 9449 section 8.2).
  public var rotatesProofNonces = false
  /// Whom the server takes the person for.
  public var subject = FakeIdentityServer.subject
  /// Whether the person can authenticate as strongly as an application asks for (`acr_values`).
  public var isStrong = true
  /// Scopes that are never granted.
  public var withheldScopes: Set<String> = []

  /// Makes settings: a public application, and a person who agrees at once.
  public init() {}
}
