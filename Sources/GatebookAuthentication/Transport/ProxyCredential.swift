public import GatebookCrypto

/// A user name and a password for one proxy; they are sent to no other proxy and to no server.
public struct ProxyCredential: Sendable, Equatable {
  /// The proxy.
  public let proxy: Origin
  /// The name.
  public let user: String
  /// The password.
  public let password: Secret

  /// Makes a credential.
  public init(proxy: Origin, user: String, password: Secret) {
    self.proxy = proxy
    self.user = user
    self.password = password
  }

  /// The password for the library that sends it.
  package var passwordText: String { password.text }
}

extension ProxyCredential: Hashable {
  /// Hashes proxy and name; the password only tells equal from unequal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(proxy)
    hasher.combine(user)
  }
}
