public import GatebookCrypto
public import GatebookEvents

/// An application as it is registered at an authorization server, and what it requests.
///
/// Source: RFC 6749 section 2, RFC 7591 section 2.
public struct OAuth2Application: Sendable {
  /// How the application authenticates at the server; never in two ways at once.
  public struct Authentication: Sendable {
    enum Way: Sendable {
      case client(OAuth2Client.Authentication, Secret?)
      /// As the server lists it.
      case listed(Secret)
      case signed(JWSKey, keyID: String?, audience: Audience)
    }

    /// The audience of an assertion: its `aud`.
    ///
    /// Standards allow several, and servers differ in which they accept (RFC 7523 section 3, RFC 9126 section
    /// 2).
    public enum Audience: Hashable, Sendable {
      /// The URL of the token endpoint, for every endpoint.
      case tokenEndpoint
      /// The URL of the endpoint that the assertion is sent to.
      case askedEndpoint
      /// This text, such as the issuer.
      case text(String)
    }

    let way: Way

    /// A public application, which has no secret: `none`.
    public static let none = Authentication(way: .client(.none, nil))

    /// With a secret, by a method that the server lists (`token_endpoint_auth_methods_supported`): HTTP Basic,
    /// the default of the standard, unless it lists only the secret in the body.
    ///
    /// A server without metadata gets HTTP Basic.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The method.
    ///
    /// Source: OpenID Connect Discovery 1.0 section 3.
    public static func secret(_ secret: Secret) -> Authentication {
      Authentication(way: .listed(secret))
    }

    /// HTTP Basic with ID and secret form-encoded, as in the standard: `client_secret_basic`.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The method.
    public static func basic(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.basic, secret))
    }

    /// HTTP Basic with ID and secret not encoded, for servers that do not decode them.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The method.
    public static func rawBasic(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.basicRaw, secret))
    }

    /// ID and secret in the body: `client_secret_post`.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The method.
    public static func post(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.post, secret))
    }

    /// A signed assertion with each request: `private_key_jwt` (RFC 7523 section 2.2).
    ///
    /// - Parameters:
    ///   - pem: The private key: PEM text, not encrypted, RSA of 2,048 bits or more or P-256.
    ///   - keyID: Its `kid` at the server; `nil` if the server knows only one key.
    ///   - audience: The audience of the assertion.
    /// - Returns: The method.
    /// - Throws: `configuration.invalid` for a key that cannot be used.
    public static func privateKey(
      _ pem: Secret, keyID: String? = nil, audience: Audience = .tokenEndpoint
    ) throws(GatebookError) -> Authentication {
      do throws(PrivateKeyRefusal) {
        return Authentication(
          way: .signed(try JWSKey(pem: pem), keyID: keyID, audience: audience))
      } catch {
        throw error.error
      }
    }
  }

  /// The client ID: `client_id`.
  public var clientID: String
  /// How it authenticates.
  public var authentication: Authentication
  /// The scopes to request; if empty, no `scope` is sent.
  ///
  /// With `openid` and `offline_access` the server's page asks for the user's consent each time, as OpenID
  /// Connect requires (Core 1.0 section 11).
  public var scopes: [String]
  /// Further audiences that an ID token may name besides this application; default: none.
  public var trustedAudiences: Set<String> = []
  /// The allowed signature algorithms of ID tokens, such as `RS256`, `PS256`, `ES256`, `EdDSA` (also called
  /// `Ed25519`); default: `RS256`.
  public var tokenAlgorithms: Set<String> = ["RS256"]
  /// Rules for ID tokens that OpenID Connect leaves to the application.
  public var idTokenRules = IDTokenRules()
  /// Whether tokens are bound to a key of the account (DPoP, RFC 9449), so that a stolen token is useless.
  ///
  /// If a server does not support this and grants unbound tokens, the login is accepted and the log says so
  /// (`unbound`). ``demandsBoundTokens`` rejects it.
  public var bindsTokens = false
  /// Whether a login with unbound tokens is rejected, as `configuration.invalid`; Gatebook then revokes its
  /// tokens.
  ///
  /// A login with a saved refresh token, which is then used up, is rejected too. A renewal is accepted, because
  /// rejecting it would lose the session; the log says so.
  ///
  /// Source: RFC 9449 section 5.
  public var demandsBoundTokens = false

  /// Describes an application.
  ///
  /// - Parameters:
  ///   - clientID: The client ID; not empty.
  ///   - authentication: How it authenticates.
  ///   - scopes: What the session may do.
  public init(
    clientID: String, authentication: Authentication = .none, scopes: [String] = []
  ) {
    self.clientID = clientID
    self.authentication = authentication
    self.scopes = scopes
  }
}
