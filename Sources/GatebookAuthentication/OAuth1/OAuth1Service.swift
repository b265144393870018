internal import GatebookCrypto
internal import GatebookEvents

/// The endpoints of a service that speaks OAuth 1.0a (RFC 5849 section 2).
public struct OAuth1Service: Hashable, Sendable {
  /// How temporary credentials are asked for.
  public enum RequestMethod: String, Hashable, Sendable {
    /// What the standard demands.
    case post = "POST"
    /// For old portals that know nothing else.
    case get = "GET"
  }

  /// Where temporary credentials are asked for.
  public var requestTokenURL: HTTPURL
  /// The page on which the person allows the application.
  public var authorisationURL: HTTPURL
  /// Where the verifier is exchanged for a token.
  public var accessTokenURL: HTTPURL
  /// How temporary credentials are asked for.
  public var requestMethod: RequestMethod
  /// Whether the server must confirm the callback and give a verifier.
  ///
  /// `false` allows OAuth 1.0, where another person's login can be slipped in: only for an old
  /// server that is trusted.
  public var requiresConfirmation: Bool
  /// The realm to name in each request; `nil` for none.
  public var realm: String?

  /// Describes a service.
  ///
  /// - Parameters:
  ///   - requestTokenURL: Where temporary credentials are asked for.
  ///   - authorisationURL: The page on which the person allows the application.
  ///   - accessTokenURL: Where the verifier is exchanged for a token.
  ///   - requestMethod: How temporary credentials are asked for.
  ///   - requiresConfirmation: Whether the server must confirm the callback.
  ///   - realm: The realm to name in each request.
  public init(
    requestTokenURL: HTTPURL, authorisationURL: HTTPURL, accessTokenURL: HTTPURL,
    requestMethod: RequestMethod = .post, requiresConfirmation: Bool = true, realm: String? = nil
  ) {
    self.requestTokenURL = requestTokenURL
    self.authorisationURL = authorisationURL
    self.accessTokenURL = accessTokenURL
    self.requestMethod = requestMethod
    self.requiresConfirmation = requiresConfirmation
    self.realm = realm
  }
}

extension OAuth1Service {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let requestToken = record["requestTokenUrl"]?.text.flatMap({ HTTPURL($0) }),
      let authorisation = record["authorisationUrl"]?.text.flatMap({ HTTPURL($0) }),
      let accessToken = record["accessTokenUrl"]?.text.flatMap({ HTTPURL($0) }),
      let method = record["requestMethod"]?.text.flatMap({ RequestMethod(rawValue: $0) }),
      let requiresConfirmation = record["requiresConfirmation"]?.bool
    else { return nil }
    self.init(
      requestTokenURL: requestToken, authorisationURL: authorisation,
      accessTokenURL: accessToken, requestMethod: method,
      requiresConfirmation: requiresConfirmation, realm: record["realm"]?.text)
  }

  /// The service for the vault.
  var record: Facts {
    var record: Facts = [
      "accessTokenUrl": .text(accessTokenURL.description),
      "authorisationUrl": .text(authorisationURL.description),
      "requestMethod": .text(requestMethod.rawValue),
      "requestTokenUrl": .text(requestTokenURL.description),
      "requiresConfirmation": .bool(requiresConfirmation),
    ]
    record["realm"] = realm.map { .text($0) }
    return record
  }

  /// Refuses endpoints of which one would send secrets in the clear while the others do not.
  ///
  /// RFC 5849 sections 2.1 and 2.3: answers hold "credentials in plain text", so TLS is demanded.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    let server = accessTokenURL.origin
    for (name, url) in [
      ("requestTokenURL", requestTokenURL), ("authorisationURL", authorisationURL),
    ] where url.origin != server && !url.origin.isSecure && !url.origin.isLoopback {
      throw .setting(
        name, "it is without TLS and not at the server of the access token URL.",
        remedy: "Give a URL with https.")
    }
  }

  /// The page for a temporary token; `nil` if the two make no URL.
  func page(for token: OAuth1Token) -> HTTPURL? {
    let value = token.token.withBytes { OAuth1Encoding.encode($0).text }
    let mark = authorisationURL.query == nil ? "?" : "&"
    return HTTPURL("\(authorisationURL)\(mark)oauth_token=\(value)")
  }
}
