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
      case signed(JWSKey, keyID: String?, audience: Audience)
    }

    /// The audience of an assertion: its `aud`.
    ///
    /// Standards allow several, and servers differ in which they accept (RFC 7523 section 3, RFC
    /// 9126 section 2).
    public enum Audience: Hashable, Sendable {
      /// The URL of the token endpoint, for every endpoint.
      case tokenEndpoint
      /// The URL of the endpoint that the assertion is sent to.
      case askedEndpoint
      /// This text, such as the issuer.
      case text(String)
    }

    let way: Way
    /// Whether the server's list may say another way for the secret.
    var isListed = false

    /// A public application, which has no secret: `none`.
    public static let none = Authentication(way: .client(.none, nil))

    /// With a secret, by a method that the server lists (`token_endpoint_auth_methods_supported`):
    /// HTTP Basic, the default of the standard, unless it lists only the secret in the body.
    ///
    /// A server without metadata gets HTTP Basic.
    ///
    /// - Parameter secret: The application's secret.
    /// - Returns: The method.
    ///
    /// Source: OpenID Connect Discovery 1.0 section 3.
    public static func secret(_ secret: Secret) -> Authentication {
      Authentication(way: .client(.basic, secret), isListed: true)
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
  /// With `openid` and `offline_access` the server's page asks for the user's consent each time, as
  /// OpenID Connect requires (Core 1.0 section 11).
  public var scopes: [String]
  /// Further audiences that an ID token may name besides this application; default: none.
  public var trustedAudiences: Set<String> = []
  /// The allowed signature algorithms of ID tokens, such as `RS256`, `PS256`, `ES256`, `EdDSA`
  /// (also called `Ed25519`); default: `RS256`.
  public var tokenAlgorithms: Set<String> = ["RS256"]
  /// Rules for ID tokens that OpenID Connect leaves to the application.
  public var idTokenRules = IDTokenRules()
  /// Whether tokens are bound to a key of the account (DPoP, RFC 9449), so that a stolen token is
  /// useless.
  ///
  /// If a server does not support this and grants unbound tokens, the login is accepted and the log
  /// says so (`unbound`). ``demandsBoundTokens`` rejects it.
  public var bindsTokens = false
  /// Whether a login with unbound tokens is rejected, as `configuration.invalid`; Gatebook then
  /// revokes its tokens.
  ///
  /// A login with a saved refresh token, which is then used up, is rejected too. A renewal is
  /// accepted, because rejecting it would lose the session; the log says so.
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

  /// The scopes as the parameter holds them; `nil` for none: an empty one is not sent.
  var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

  /// The parameter itself; none where none is sent.
  var scopeParameter: [(name: String, value: String)] { scope.map { [("scope", $0)] } ?? [] }

  /// Whether the application asks who the user is (OpenID Connect Core 1.0 section 3.1.2.1).
  var asksForIdentity: Bool { scopes.contains("openid") }

  /// Whether the application asks for a refresh token by OpenID Connect's scope for it: "A prompt
  /// parameter value of consent MUST be contained" then (Core 1.0 section 11).
  ///
  /// Servers refuse the request without it, or give no refresh token.
  var asksForOfflineAccess: Bool { asksForIdentity && scopes.contains("offline_access") }

  /// The algorithms; `nil` if one is none that is known.
  var algorithms: Set<SignatureAlgorithm>? {
    let known = tokenAlgorithms.map { SignatureAlgorithm(name: $0) }
    return known.isEmpty || known.contains(nil) ? nil : Set(known.compactMap(\.self))
  }

  /// Refuses what no server can have registered.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try clientID.checkAsSetting("clientID", remedy: "Give the client ID.")
    let hasSecret =
      switch authentication.way {
      case .client(.none, _), .signed: true
      case .client(_, let secret): secret?.isEmpty == false
      }
    guard hasSecret else {
      throw .setting("authentication", "the secret is empty.", remedy: "Give the secret.")
    }
    // RFC 7617 section 2: the server ends the id at its first colon.
    if case .client(.basicRaw, _) = authentication.way, clientID.utf8.contains(.colon) {
      throw .setting(
        "authentication", "an ID with a colon cannot be sent unencoded by HTTP Basic.",
        remedy: "Send it form-encoded (client_secret_basic) or in the body (client_secret_post).")
    }
    guard bindsTokens || !demandsBoundTokens else {
      throw .setting(
        "demandsBoundTokens", "without `bindsTokens` no token is bound.", remedy: "Set both.")
    }
    // RFC 6749 section 3.3: a scope has no blanks, which separate scopes.
    guard scopes.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else {
      throw .setting(
        "scopes", "one is empty or has blanks.", remedy: "Give each scope as a separate value.")
    }
    try idTokenRules.check()
    guard algorithms != nil else {
      throw .setting(
        "tokenAlgorithms", "Gatebook cannot verify one of them.",
        remedy: "Use algorithms such as RS256, PS256, ES256 or EdDSA.")
    }
  }
}

extension OAuth2Application: StoredRecord {
  /// The application for the vault, secrets included.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    tokenAlgorithms = try facts.required("algorithms", kept?.tokenAlgorithms)
    trustedAudiences = try facts.required("audiences", kept?.trustedAudiences)
    authentication = try facts.required("authentication", kept?.authentication)
    bindsTokens = try facts.required("bindsTokens", kept?.bindsTokens)
    demandsBoundTokens = facts.optional("demandsBound", kept?.demandsBoundTokens, unless: false)
    clientID = try facts.required("id", kept?.clientID)
    idTokenRules = try facts.readable(
      "idTokenRules", kept?.idTokenRules, unless: IDTokenRules())
    scopes = try facts.required("scopes", kept?.scopes)
  }
}

extension OAuth2Application.Authentication: Storable {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    if let key = record["privateKey"].flatMap({ JWSKey(fact: $0) }) {
      way = .signed(key, keyID: record["keyID"]?.text, audience: .init(record: record))
    } else if record["way"]?.text == Self.listed, let secret = record["secret"]?.text {
      self = .secret(Secret(secret))
    } else if let name = record["way"]?.text,
      let known = OAuth2Client.Authentication(rawValue: name)
    {
      way = .client(known, record["secret"]?.text.map { Secret($0) })
    } else {
      return nil
    }
  }

  private static let listed = "listed"

  /// What records and settings call the way.
  var wayName: String {
    switch way {
    case .client(let way, _): isListed ? Self.listed : way.rawValue
    case .signed: "privateKey"
    }
  }

  /// The way for the vault, secrets included.
  package var record: Facts {
    switch way {
    case .client(_, let secret): ["secret": .optional(secret?.text), "way": .text(wayName)]
    case .signed(let key, let keyID, let audience):
      [
        "audience": .optional(audience.text),
        "audienceAsked": audience == .askedEndpoint ? true : nil,
        "keyID": .optional(keyID), "privateKey": key.fact,
      ]
    }
  }
}

extension OAuth2Application.Authentication.Audience {
  /// Reads what the way's `record` wrote.
  init(record: Facts) {
    if let text = record["audience"]?.text {
      self = .text(text)
    } else {
      self = record["audienceAsked"]?.bool == true ? .askedEndpoint : .tokenEndpoint
    }
  }

  /// The text that was set; `nil` for an endpoint's URL.
  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension JWSKey: Storable {
  package init?(record: Facts) {
    guard let pkcs8 = record["pkcs8"] else { return nil }
    let key: JWSKey? =
      switch record["kind"]?.text {
      case "rsa": RSAKey(fact: pkcs8).map { .rsa($0) }
      case "p256": P256Key(fact: pkcs8).map { .elliptic($0) }
      default: nil
      }
    guard let key else { return nil }
    self = key
  }

  package var record: Facts {
    switch self {
    case .rsa(let key): ["kind": "rsa", "pkcs8": key.fact]
    case .elliptic(let key): ["kind": "p256", "pkcs8": key.fact]
    }
  }
}
