package import GatebookCrypto

/// The answer that an ID token came with.
package enum IDTokenAnswer: Sendable {
  /// The answer to a login.
  case login(Login)
  /// The answer to a refresh, what the login's own ID token said, and the new access token.
  case refresh(first: IDTokenClaims, accessToken: Secret?)

  /// What was asked for in a login, and what came along.
  package struct Login: Sendable {
    /// The nonce that was sent; `nil` if none was.
    package var nonce: String?
    /// `max_age` that was sent.
    package var maximumAge: Duration?
    /// The `acr` values that were asked for as essential; none means any.
    package var contextClasses: [String]
    /// The access token of the same answer.
    package var accessToken: Secret?
    /// The code that was redeemed, or that came in the same redirect.
    package var code: Secret?
    /// Whether the ID token itself came through the browser: then the hashes are required.
    package var cameThroughBrowser: Bool

    /// Makes the description of an answer.
    package init(
      nonce: String?, maximumAge: Duration? = nil, contextClasses: [String] = [],
      accessToken: Secret? = nil, code: Secret? = nil, cameThroughBrowser: Bool = false
    ) {
      self.nonce = nonce
      self.maximumAge = maximumAge
      self.contextClasses = contextClasses
      self.accessToken = accessToken
      self.code = code
      self.cameThroughBrowser = cameThroughBrowser
    }
  }
}
