package import GatebookEvents

/// Endpoints of an authorization server that the app sets.
///
/// They override the server's metadata, which often lacks existing endpoints. Every URL needs TLS,
/// unless it is on this machine or at the one server for which cleartext was allowed.
///
/// Source: RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3.
public struct OAuth2Server: Hashable, Sendable {
  /// An endpoint, by its name in a server's metadata.
  enum Endpoint: String, CaseIterable, Sendable {
    case authorisation = "authorization_endpoint"
    case deviceAuthorisation = "device_authorization_endpoint"
    case endSession = "end_session_endpoint"
    case introspection = "introspection_endpoint"
    case keys = "jwks_uri"
    case pushedAuthorisation = "pushed_authorization_request_endpoint"
    case revocation = "revocation_endpoint"
    case token = "token_endpoint"
    case userInfo = "userinfo_endpoint"

    /// Where its URL is.
    fileprivate var path: WritableKeyPath<OAuth2Server, HTTPURL?> {
      switch self {
      case .authorisation: \.authorisationURL
      case .deviceAuthorisation: \.deviceAuthorisationURL
      case .endSession: \.endSessionURL
      case .introspection: \.introspectionURL
      case .keys: \.keysURL
      case .pushedAuthorisation: \.pushedAuthorisationURL
      case .revocation: \.revocationURL
      case .token: \.tokenURL
      case .userInfo: \.userInfoURL
      }
    }
  }

  /// Whether to use PKCE with S256 although the server's list of methods lacks it.
  public var trustsS256 = false

  /// Makes a server without endpoints.
  public init() {}

  subscript(endpoint: Endpoint) -> HTTPURL? {
    get { self[keyPath: endpoint.path] }
    set { self[keyPath: endpoint.path] = newValue }
  }

  /// The authorization endpoint: the login page (RFC 6749 section 3.1).
  public var authorisationURL: HTTPURL?

  /// The token endpoint (RFC 6749 section 3.2).
  public var tokenURL: HTTPURL?

  /// The revocation endpoint, for logouts (RFC 7009).
  public var revocationURL: HTTPURL?

  /// The introspection endpoint (RFC 7662): it proves the login if there is neither a userinfo
  /// endpoint nor a check URL.
  public var introspectionURL: HTTPURL?

  /// The page that ends the browser's own session at the server (OpenID Connect RP-Initiated Logout
  /// 1.0 section 2).
  public var endSessionURL: HTTPURL?

  /// The device authorization endpoint (RFC 8628 section 3.1).
  public var deviceAuthorisationURL: HTTPURL?

  /// The pushed authorization request endpoint (RFC 9126).
  public var pushedAuthorisationURL: HTTPURL?

  /// The userinfo endpoint (OpenID Connect Core 1.0 section 5.3).
  public var userInfoURL: HTTPURL?

  /// The server's public keys (RFC 7517), which verify ID tokens.
  public var keysURL: HTTPURL?
}

extension OAuth2Server: Storable {
  /// Reads what `record` wrote; `nil` for anything else, such as an endpoint of another name.
  package init?(record: Facts) {
    for name in record.names where name != Self.trustName {
      guard let endpoint = Endpoint(rawValue: name),
        let url = record[name].flatMap({ HTTPURL(fact: $0) })
      else { return nil }
      self[endpoint] = url
    }
    trustsS256 = record[Self.trustName]?.bool ?? false
  }

  /// The endpoints for the vault.
  package var record: Facts {
    var record: Facts = [Self.trustName: trustsS256 ? true : nil]
    for (endpoint, url) in all { record[endpoint.rawValue] = url.fact }
    return record
  }

  private static let trustName = "trustsS256"

  /// The endpoints with those of others where none is set.
  func filled(from others: OAuth2Server?) -> OAuth2Server {
    var filled = self
    for (endpoint, url) in others?.all ?? [] where self[endpoint] == nil { filled[endpoint] = url }
    return filled
  }

  /// The endpoints that differ, by their names.
  func changes(from former: OAuth2Server) -> [String] {
    Endpoint.allCases.filter { self[$0] != former[$0] }.map(\.rawValue)
  }

  /// All that are set, by their names.
  var all: [(endpoint: Endpoint, url: HTTPURL)] {
    Endpoint.allCases.compactMap { endpoint in self[endpoint].map { (endpoint, $0) } }
  }
}
