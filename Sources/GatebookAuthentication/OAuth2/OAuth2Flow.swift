public import GatebookCrypto

/// How an application comes by its tokens (RFC 6749 section 1.3).
public enum OAuth2Flow: Sendable {
  /// The person allows it on a page of the server, and a redirect brings a code; always with PKCE.
  ///
  /// The redirect URI must be registered at the server: a loopback URL such as that of a
  /// ``LoopbackListener``, or a URI of the app's own scheme.
  case code(redirectURI: String)
  /// The person enters a short code on another device (RFC 8628).
  case device
  /// The name and the password go to the token endpoint; only where the server still allows it.
  case password(user: String, Secret)
  /// The application acts for itself: there is no person, the account is the application's.
  case clientCredentials
}

/// The flow without its secrets: what a session remembers of how it came about.
enum OAuth2Grant: String, Sendable {
  case code
  case device
  case password
  case clientCredentials

  init(_ flow: OAuth2Flow) {
    self =
      switch flow {
      case .code: .code
      case .device: .device
      case .password: .password
      case .clientCredentials: .clientCredentials
      }
  }
}
