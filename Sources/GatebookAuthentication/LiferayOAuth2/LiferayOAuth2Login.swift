internal import GatebookCrypto
package import GatebookEvents

/// What both OAuth 2 logins to a portal share.
struct LiferayOAuth2Login: Sendable {
  var portal: LiferayPortal
  var client: OAuth2Client
  /// Separated by blanks; empty: the portal grants all that are registered for the application.
  var scopes: String
  var paths: LiferayOAuth2Paths

  /// Refuses what no portal can take, before anything is sent.
  func check() throws(GatebookError) {
    try portal.check()
    try client.id.checkAsSetting("oauth2clientId", remedy: "Give the client ID.")
    // RFC 7617 section 2: the server ends the id at its first colon.
    guard client.authentication != .basicRaw || !client.id.utf8.contains(.colon) else {
      throw .setting(
        "oauth2clientId", "an ID with a colon cannot be sent unencoded by HTTP Basic.",
        remedy: "Register the application with another client ID.")
    }
    _ = try portal.url(paths.token)
  }

  /// The login with the portal's own endpoints; without them where `check` would refuse it.
  func oauth<Grant: LiferayOAuth2Grant>(_ kind: Grant.Type) -> OAuth2Login {
    var server = OAuth2Server()
    server.authorisationURL = try? portal.url(paths.authorize)
    server.tokenURL = try? portal.url(paths.token)
    server.revocationURL = paths.revoke.flatMap { try? portal.url($0) }
    let application = OAuth2Application(
      clientID: client.id,
      authentication: .init(way: .client(client.authentication, client.secret)),
      scopes: scopes.split(separator: " ").map(String.init))
    var login = OAuth2Login(server: server, application: application, grant: Grant.grant)
    login.isPortal = true
    return login
  }

  /// What the login was asked with; no secrets.
  ///
  /// - Parameters:
  ///   - user: The name that was typed; `nil` where that is the portal's affair.
  ///   - redirectURI: Where the portal sends the browser; `nil` where it sends it nowhere, or where
  ///     that is not known.
  /// - Returns: The settings.
  func settings(user: String? = nil, redirectURI: String? = nil) -> Facts {
    [
      "clientID": .text(client.id), "hasSecret": .bool(client.secret != nil),
      "paths": paths == LiferayOAuth2Paths() ? nil : .object(paths.record),
      "portal": .object(portal.record), "redirectURI": .optional(redirectURI),
      "scopes": .text(scopes), "user": .optional(user),
    ]
  }
}

extension LiferayOAuth2Login: StoredRecord {
  /// Portal and client, secrets included.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    client = try facts.required("client", kept?.client)
    paths = try facts.required("paths", kept?.paths)
    portal = try facts.required("portal", kept?.portal)
    scopes = try facts.required("scopes", kept?.scopes)
  }
}

/// How the tokens of a portal's session came about; a session is restored as what it is.
package protocol LiferayOAuth2Grant: Sendable {
  /// The method's name; frozen: it is stored in events.
  static var method: String { get }
  /// What it is in OAuth 2.
  static var grant: OAuth2Grant { get }
}

/// Authorisation code with PKCE.
package enum LiferayRedirectGrant: LiferayOAuth2Grant {
  /// Frozen.
  package static let method = "liferay-oauth2-redirect"
  package static let grant = OAuth2Grant.code
}

/// Resource owner password credentials.
package enum LiferayPasswordGrant: LiferayOAuth2Grant {
  /// Frozen.
  package static let method = "liferay-oauth2-password"
  package static let grant = OAuth2Grant.password
}

/// The paths of a portal's OAuth 2 below the portal's URL; settings of the account.
public struct LiferayOAuth2Paths: Hashable, Sendable {
  /// The authorization endpoint: the login page.
  public var authorize = "o/oauth2/authorize"
  /// The token endpoint.
  public var token = "o/oauth2/token"
  /// The revocation endpoint (RFC 7009); `nil` for none, because not all portals have one.
  public var revoke: String?

  /// Makes the defaults.
  public init() {}
}

extension LiferayOAuth2Paths: StoredRecord {
  /// The paths.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authorize = try facts.required("authorize", kept?.authorize)
    revoke = facts.optional("revoke", kept?.revoke)
    token = try facts.required("token", kept?.token)
  }
}
