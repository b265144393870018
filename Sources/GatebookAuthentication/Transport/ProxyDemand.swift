public import GatebookCrypto

/// What a proxy demands before it forwards a request: a 407 (RFC 9110 section 15.5.8).
public struct ProxyDemand: Hashable, Sendable {
  /// One way to authenticate that it offers.
  public struct Offer: Hashable, Sendable {
    /// The scheme in lower case, such as `basic`.
    public let scheme: String
    /// The realm; `nil` if the transport does not know it.
    public let realm: String?

    /// Makes an offer.
    public init(scheme: String, realm: String? = nil) {
      self.scheme = scheme
      self.realm = realm
    }
  }

  /// The proxy.
  public let proxy: Origin
  /// What it offers, in its order if the transport knows it.
  public let offers: [Offer]

  /// Makes a demand.
  public init(proxy: Origin, offers: [Offer]) {
    self.proxy = proxy
    self.offers = offers
  }
}

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
