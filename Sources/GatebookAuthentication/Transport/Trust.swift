/// Which TLS servers an account trusts, and its client certificate for them.
///
/// A server is trusted if its certificate leads to one of the `authorities`, is valid now and names the host.
/// `pins` demand more, `exceptions` accept single keys. Without TLS, trust has no effect.
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
  /// The trusted certificate authorities.
  public enum Authorities: Hashable, Sendable {
    /// The machine's certificate authorities.
    case system
    /// The authorities in a PEM file, and only those; revocation lists (CRL) in it are checked too.
    case file(String)
  }

  /// The trusted certificate authorities.
  public var authorities: Authorities
  /// The only accepted keys, in addition to a valid certificate; empty for any key.
  public var pins: [KeyHash]
  /// Keys that are accepted although their certificates have defects.
  public var exceptions: [TrustException]
  /// The client certificate for servers that ask for one.
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

  /// Only the machine's certificate authorities.
  public static let system = Trust()

  /// Only the authorities in a PEM file.
  public static func authorities(file: String) -> Trust {
    Trust(authorities: .file(file))
  }

  /// The exceptions for a host, in upper or lower case, and a port.
  public func exceptions(host: String, port: Int) -> [TrustException] {
    let host = host.lowercased()
    return exceptions.filter { $0.host.utf8.elementsEqual(host.utf8) && $0.port == port }
  }
}
