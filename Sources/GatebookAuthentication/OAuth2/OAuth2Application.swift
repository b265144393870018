public import GatebookCrypto
public import GatebookEvents

/// An application as an authorisation server knows it, and what it asks for.
///
/// Source: RFC 6749 section 2, RFC 7591 section 2.
public struct OAuth2Application: Sendable {
  /// How the application shows the server who it is; never two ways at once.
  public struct Authentication: Sendable {
    enum Way: Sendable {
      case client(OAuth2Client.Authentication, Secret?)
      /// As the server lists it.
      case listed(Secret)
      case signed(JWSKey, keyID: String?, audience: Audience)
    }

    /// What an assertion is for: its `aud`.
    ///
    /// Standards name several, and servers differ in which they take (RFC 7523 section 3, RFC 9126
    /// section 2).
    public enum Audience: Hashable, Sendable {
      /// The URL of the token endpoint, wherever the assertion goes.
      case tokenEndpoint
      /// The URL of the endpoint that the assertion goes to.
      case askedEndpoint
      /// This text, such as the issuer.
      case text(String)
    }

    let way: Way

    /// A public application, which has no secret: `none`.
    public static let none = Authentication(way: .client(.none, nil))

    /// With a secret, in the way that the server lists among those it takes
    /// (`token_endpoint_auth_methods_supported`): HTTP Basic, the default of the standard, unless it lists
    /// only the secret in the body.
    ///
    /// A server that does not describe itself gets HTTP Basic.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The way.
    ///
    /// Source: OpenID Connect Discovery 1.0 section 3.
    public static func secret(_ secret: Secret) -> Authentication {
      Authentication(way: .listed(secret))
    }

    /// HTTP Basic, id and secret form-encoded first, as the standard says: `client_secret_basic`.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The way.
    public static func basic(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.basic, secret))
    }

    /// HTTP Basic with id and secret as they are, for servers that do not decode them.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The way.
    public static func rawBasic(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.basicRaw, secret))
    }

    /// Id and secret in the body: `client_secret_post`.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The way.
    public static func post(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.post, secret))
    }

    /// A signed assertion with each request: `private_key_jwt` (RFC 7523 section 2.2).
    ///
    /// - Parameters:
    ///   - pem: The private key: PEM text, not encrypted, RSA of 2,048 bits or more or P-256.
    ///   - keyID: Its `kid` at the server; `nil` if the server knows one key alone.
    ///   - audience: What the assertion is for.
    /// - Returns: The way.
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

  /// The application's id: `client_id`.
  public var clientID: String
  /// How it shows who it is.
  public var authentication: Authentication
  /// What the session may do; empty: no `scope` is sent.
  ///
  /// With `openid` and `offline_access` the server's page asks for the person's consent each time, as
  /// OpenID Connect wants it (Core 1.0 section 11).
  public var scopes: [String]
  /// Whom an ID token may name beside this application; nobody unless said.
  public var trustedAudiences: Set<String> = []
  /// The algorithms by which ID tokens may be signed, such as `RS256`, `PS256`, `ES256`, `EdDSA`
  /// (also called `Ed25519`);
  /// `RS256` unless said.
  public var tokenAlgorithms: Set<String> = ["RS256"]
  /// How strictly ID tokens are checked where that is left to the application.
  public var idTokenRules = IDTokenRules()
  /// Whether tokens are bound to a key of the account's own (DPoP, RFC 9449), so that whoever
  /// steals one cannot use it.
  ///
  /// A server that does not know that, and gives tokens that anybody can use, is taken at it: the log
  /// says so (`unbound`). ``demandsBoundTokens`` refuses it.
  public var bindsTokens = false
  /// Whether a login that brings tokens without the binding is refused, as `configuration.invalid`; its
  /// tokens are taken back.
  ///
  /// So is a login with a saved refresh token, which is used up then. A renewal is taken all the same:
  /// refused, it would cost the session. The log says so.
  ///
  /// Source: RFC 9449 section 5.
  public var demandsBoundTokens = false

  /// Describes an application.
  ///
  /// - Parameters:
  ///   - clientID: Its id; not empty.
  ///   - authentication: How it shows who it is.
  ///   - scopes: What the session may do.
  public init(
    clientID: String, authentication: Authentication = .none, scopes: [String] = []
  ) {
    self.clientID = clientID
    self.authentication = authentication
    self.scopes = scopes
  }
}
