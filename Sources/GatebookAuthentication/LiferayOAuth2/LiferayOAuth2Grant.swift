/// How the tokens of a portal's session came about; a session is restored as what it is.
package protocol LiferayOAuth2Grant: Sendable {
  /// The method's name; frozen: it stands in events.
  static var method: String { get }
}

/// Authorisation code with PKCE.
package enum LiferayRedirectGrant: LiferayOAuth2Grant {
  /// Frozen.
  package static let method = "liferay-oauth2-redirect"
}

/// Resource owner password credentials.
package enum LiferayPasswordGrant: LiferayOAuth2Grant {
  /// Frozen.
  package static let method = "liferay-oauth2-password"
}
