package import GatebookEvents

/// The closed list of logins that can wait for a redirect: finds the type behind a stored name.
package enum RedirectAuthenticators {
  private static let types: [any RedirectAuthenticator.Type] = [
    LiferayRedirectAuthenticator.self, LiferayOAuth1Authenticator.self, OAuth1Authenticator.self,
    OAuth2Authenticator<PlainOAuth2>.self, OAuth2Authenticator<OpenIDConnect>.self,
  ]

  /// Makes a waiting machine again; `nil` for an unknown method or a record that is not its own.
  package static func decode(
    method: String, record: Facts
  ) -> (any RedirectAuthenticator)? {
    types.first { $0.method == method }?.init(record: record)
  }
}
