internal import GatebookCrypto
package import GatebookEvents

/// The endpoints of a server of OAuth 1.0a (RFC 5849 section 2).
public struct OAuth1Service: Hashable, Sendable {
  /// The method for requesting temporary credentials.
  public enum RequestMethod: String, Hashable, Sendable {
    /// The method of the standard.
    case post = "POST"
    /// For old portals that support nothing else.
    case get = "GET"
  }

  /// The URL for temporary credentials.
  public var requestTokenURL: HTTPURL
  /// The page on which the user allows the application.
  public var authorisationURL: HTTPURL
  /// The URL that exchanges the verifier for a token.
  public var accessTokenURL: HTTPURL
  /// The method for requesting temporary credentials.
  public var requestMethod: RequestMethod
  /// Whether the server must confirm the callback and return a verifier.
  ///
  /// `false` allows OAuth 1.0, where an attacker can substitute another login: only for an old
  /// server that you trust.
  public var requiresConfirmation: Bool
  /// The realm to name in each request; `nil` for none.
  public var realm: String?

  /// Describes a service.
  ///
  /// - Parameters:
  ///   - requestTokenURL: The URL for temporary credentials.
  ///   - authorisationURL: The page on which the user allows the application.
  ///   - accessTokenURL: The URL that exchanges the verifier for a token.
  ///   - requestMethod: The method for requesting temporary credentials.
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
        name, "it does not use TLS and is not at the server of the access token URL.",
        remedy: "Give a URL with https.")
    }
  }

  /// The page for a temporary token; `nil` if the two make no URL.
  func page(for token: OAuth1Token) -> HTTPURL? {
    let value = token.token.withBytes { PercentEncoding.encode($0).text }
    let mark = authorisationURL.query == nil ? "?" : "&"
    return HTTPURL("\(authorisationURL)\(mark)oauth_token=\(value)")
  }
}

extension OAuth1Service: StoredRecord {
  /// The endpoints.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    accessTokenURL = try facts.required("accessTokenUrl", kept?.accessTokenURL)
    authorisationURL = try facts.required("authorisationUrl", kept?.authorisationURL)
    realm = facts.optional("realm", kept?.realm)
    requestMethod = try facts.required("requestMethod", kept?.requestMethod)
    requestTokenURL = try facts.required("requestTokenUrl", kept?.requestTokenURL)
    requiresConfirmation = try facts.required("requiresConfirmation", kept?.requiresConfirmation)
  }
}

extension OAuth1Service.RequestMethod: Storable {}
