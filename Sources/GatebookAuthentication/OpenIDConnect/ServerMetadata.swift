internal import GatebookEvents

/// What an authorisation server publishes of itself (RFC 8414 section 2, OpenID Connect Discovery
/// 1.0 section 3), and how old that is.
struct ServerMetadata: Hashable, Sendable {
  /// The issuer, byte for byte as the server writes it: every later comparison is with this.
  var issuer: String
  /// The endpoints; a member that is no URL, such as `null`, is absent.
  var endpoints: OAuth2Server
  /// The methods of PKCE; `nil` if the server says nothing of them.
  var challengeMethods: [String]?
  /// How applications may show who they are at the token endpoint; `nil` if the server says nothing
  /// of it.
  var authenticationMethods: [String]?
  /// Whether the authorisation request must be pushed (RFC 9126 section 5).
  var demandsPushedRequests: Bool
  /// Whether each redirect names its issuer (RFC 9207 section 3).
  var namesIssuerInRedirects: Bool
  /// When it was asked for.
  var fetched: Timestamp
  /// How long it is good for.
  var freshness: Duration
  /// When it was last asked for again in vain; `nil` if that never happened since.
  var missed: Timestamp?
  /// For how long the server then wants to be left alone; `nil` if it did not say.
  var demandedPause: Duration?

  /// How long metadata is good for if the server does not say.
  static let usualFreshness = Duration.seconds(3600)
  /// How long it is not asked for again after that was in vain.
  static let pause = Duration.seconds(300)

  /// Reads the metadata of an answer; `nil` for what is none.
  ///
  /// - Parameters:
  ///   - reply: A 200; judged by content, as servers label JSON as they like.
  ///   - sent: When it was asked for.
  ///   - arrived: When it came.
  init?(_ reply: HTTPReply, sent: Moment, arrived: Moment) {
    guard reply.status == 200, let members = JSONDocument.read(reply.body)?.object,
      let issuer = members["issuer"]?.text
    else { return nil }
    self.issuer = issuer
    endpoints = OAuth2Server()
    for endpoint in OAuth2Server.Endpoint.allCases {
      endpoints[endpoint] = members[endpoint.rawValue]?.text.flatMap { HTTPURL($0) }
    }
    challengeMethods = members["code_challenge_methods_supported"]?.list?.compactMap(\.text)
    authenticationMethods = members["token_endpoint_auth_methods_supported"]?.list?
      .compactMap(\.text)
    demandsPushedRequests = members["require_pushed_authorization_requests"]?.bool ?? false
    namesIssuerInRedirects =
      members["authorization_response_iss_parameter_supported"]?.bool ?? false
    fetched = reply.recalled ?? sent.wall
    freshness = reply.freshness(at: arrived.wall) ?? Self.usualFreshness
  }

  /// Whether it is as good as asked for now; never after the wall clock was set back.
  func isFresh(at moment: Moment) -> Bool {
    moment.wall >= fetched && moment.wall < fetched + freshness
  }

  /// Whether it is not to be asked for again: it is fresh, or was asked for in vain a moment ago.
  func serves(at moment: Moment) -> Bool {
    let pause = max(Self.pause, demandedPause ?? .zero)
    guard let missed, moment.wall >= missed, moment.wall < missed + pause else {
      return isFresh(at: moment)
    }
    return true
  }

  /// Whether S256 may be used: it is among the methods, or the server does not list any.
  var takesS256: Bool { challengeMethods?.contains("S256") ?? true }
}

extension ServerMetadata: StoredRecord {
  /// The metadata, for the vault.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authenticationMethods = facts.optional("authenticationMethods", kept?.authenticationMethods)
    challengeMethods = facts.optional("challengeMethods", kept?.challengeMethods)
    demandedPause = facts.optional("demandedPauseUs", kept?.demandedPause)
    demandsPushedRequests = try facts.required(
      "demandsPushedRequests", kept?.demandsPushedRequests)
    endpoints = try facts.required("endpoints", kept?.endpoints)
    fetched = try facts.required("fetched", kept?.fetched)
    freshness = try facts.required("freshnessUs", kept?.freshness)
    issuer = try facts.required("issuer", kept?.issuer)
    missed = facts.optional("missed", kept?.missed)
    namesIssuerInRedirects = try facts.required("namesIssuer", kept?.namesIssuerInRedirects)
  }
}
