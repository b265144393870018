/// Which TLS servers an account trusts, and how it shows itself to them.
///
/// A server is trusted when its certificate leads to one of the `authorities`, is in date and names
/// the host; `pins` demand more, `exceptions` open single keys. Over plain http trust has no meaning.
///
/// ## Topics
/// ### What is trusted
/// - ``authorities-swift.property``
/// - ``pins``
/// - ``exceptions``
/// - ``verdict(on:)``
/// ### Showing oneself
/// - ``client``
public struct Trust: Hashable, Sendable {
  /// Who may vouch for a server.
  public enum Authorities: Hashable, Sendable {
    /// The machine's certificate authorities.
    case system
    /// The authorities in a PEM file, and only those; revocation lists (CRL) in it are checked too.
    case file(String)
  }

  /// Who may vouch for a server.
  public var authorities: Authorities
  /// The only keys that servers may have, beside a certificate that is good; empty for any key.
  public var pins: [KeyHash]
  /// Keys that are accepted although their certificates have defects.
  public var exceptions: [TrustException]
  /// What the account shows to servers that ask for a certificate.
  public var client: ClientCertificate?

  /// Makes a policy.
  public init(
    authorities: Authorities = .system, pins: [KeyHash] = [], exceptions: [TrustException] = [],
    client: ClientCertificate? = nil
  ) {
    self.authorities = authorities
    self.pins = pins
    self.exceptions = exceptions
    self.client = client
  }

  /// The machine's certificate authorities, and nothing else.
  public static let system = Trust()

  /// The authorities in a PEM file, and only those.
  public static func authorities(file: String) -> Trust {
    Trust(authorities: .file(file))
  }

  /// The exceptions for a host, in any case, and a port.
  public func exceptions(host: String, port: Int) -> [TrustException] {
    let host = host.lowercased()
    return exceptions.filter { $0.host.utf8.elementsEqual(host.utf8) && $0.port == port }
  }
}
