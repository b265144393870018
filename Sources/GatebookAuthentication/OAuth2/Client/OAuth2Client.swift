internal import GatebookCrypto
package import GatebookEvents

/// A client as an authorisation server knows it, and how it shows who it is (RFC 6749 section 2.3).
struct OAuth2Client: Sendable {
  /// How a client authenticates; never two ways at once.
  enum Authentication: String, Sendable {
    /// A public client: `client_id` in the body.
    case none
    /// HTTP Basic, id and secret form-encoded first, as the standard says.
    case basic
    /// HTTP Basic with id and secret as they are, as Liferay wants it.
    case basicRaw
    /// Id and secret in the body.
    case post
  }

  let id: String
  let secret: Secret?
  let authentication: Authentication

  /// The request to an endpoint of the server with these parameters.
  ///
  /// It is never repeated automatically: codes, refresh tokens and wrong passwords count.
  func request(_ endpoint: HTTPURL, _ parameters: [(name: String, value: String)]) -> HTTPRequest {
    var parameters = parameters
    var fields = [FormEncoding.contentType, HTTPField("Accept", "application/json")]
    switch authentication {
    case .none: parameters.append(("client_id", id))
    case .post:
      parameters.append(("client_id", id))
      if let secret { parameters.append(("client_secret", secret.text)) }
    case .basic:
      fields.append(
        Self.basic(
          FormEncoding.encode([(id, "")]).dropLast(),
          FormEncoding.encode([(secret?.text ?? "", "")]).dropLast()))
    case .basicRaw: fields.append(Self.basic(id.utf8, (secret?.text ?? "").utf8))
    }
    return HTTPRequest(
      "POST", endpoint, fields: fields, body: FormEncoding.encode(parameters),
      isRepeatable: false, limits: .endpoint)
  }

  private static func basic(
    _ id: some Sequence<UInt8>, _ secret: some Sequence<UInt8>
  ) -> HTTPField {
    HTTPField("Authorization", "Basic " + Base64.encode(Array(id) + [.colon] + Array(secret)))
  }
}

extension OAuth2Client: StoredRecord {
  /// The application and its secret.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authentication = try facts.required("authentication", kept?.authentication)
    id = try facts.required("id", kept?.id)
    secret = facts.optional("secret", kept?.secret)
  }
}

extension OAuth2Client.Authentication: Storable {}

/// Under which name a session by OAuth 2 is kept; it is restored as what it is.
package protocol OAuth2Kind: Sendable {
  /// The method's name; frozen: it is stored in events.
  static var method: String { get }
}

/// OAuth 2 with endpoints that are set by hand.
package enum PlainOAuth2: OAuth2Kind {
  /// Frozen.
  package static let method = "oauth2"
}

/// OpenID Connect, with a server that describes itself.
package enum OpenIDConnect: OAuth2Kind {
  /// Frozen.
  package static let method = "oidc"
}

/// A client's signed word that it is itself: `private_key_jwt` (RFC 7523 section 2.2, OpenID
/// Connect Core 1.0 section 9).
///
/// Good for one request: every sending makes a new one.
package struct PrivateKeyJWT: Sendable {
  /// The value of `client_assertion_type`.
  package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// How long one is good for.
  package static let lifetime = Duration.seconds(60)

  /// The compact form.
  package let text: String

  /// Signs an assertion.
  ///
  /// - Parameters:
  ///   - clientID: `iss` and `sub`.
  ///   - audience: `aud`: by setting, or the URL of the token endpoint.
  ///   - key: The client's private key.
  ///   - keyID: `kid` under which the server knows its public part; `nil` if it knows one alone.
  ///   - moment: Now, by our clock.
  ///   - offset: The server's clock less ours.
  ///   - random: At least 16 fresh random bytes, for `jti`.
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  package init(
    of clientID: String, for audience: String, key: JWSKey, keyID: String?, at moment: Moment,
    offset: Duration = .zero, random: [UInt8]
  ) throws(GatebookError) {
    let issued = (moment.wall + offset).rawValue / 1_000_000
    let claims: Facts = [
      "aud": .text(audience), "exp": .integer(issued + Self.lifetime.components.seconds),
      "iat": .integer(issued), "iss": .text(clientID),
      "jti": .text(Base64URL.encode(random.prefix(16))), "sub": .text(clientID),
    ]
    text = try key.sign(claims, header: ["kid": .optional(keyID), "typ": "JWT"])
  }

  /// The two parameters of a form that carry it.
  package var parameters: [(name: String, value: String)] {
    [("client_assertion", text), ("client_assertion_type", Self.type)]
  }
}
