public import GatebookCrypto
internal import GatebookEvents

/// How an application gets its tokens (RFC 6749 section 1.3).
public enum OAuth2Flow: Sendable {
  /// Authorization code: the user logs in on a page of the server; always with PKCE.
  ///
  /// The redirect URI must be registered at the server: a loopback URL such as that of a
  /// ``LoopbackListener``, or a URI with the app's own scheme.
  case code(redirectURI: String)
  /// Device flow: the user enters a short code on another device (RFC 8628).
  case device
  /// User name and password are sent to the token endpoint; only if the server still allows it.
  case password(user: String, Secret)
  /// Client credentials: the account belongs to the application itself, not to a user.
  case clientCredentials
}

/// The flow without its secrets: what a session remembers of how it came about.
package enum OAuth2Grant: String, Sendable {
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

extension OAuth2Grant: Storable {}
