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
