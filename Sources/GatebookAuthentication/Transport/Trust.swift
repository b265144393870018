public import GatebookEvents

/// Which TLS servers an account trusts, and its client certificate for them.
///
/// A server is trusted if its certificate leads to one of the `authorities`, is valid now and names
/// the host. `pins` demand more, `exceptions` accept single keys. Without TLS, trust has no effect.
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

  /// Judges a server's certificate before anything is sent to the server.
  ///
  /// - Pins apply to every server. A host and port with exceptions must show one of the accepted
  ///   keys; otherwise the key has changed, even if the new certificate has no defect.
  /// - An exception accepts only its own defects; two exceptions are never combined.
  ///
  /// - Parameter certificate: The server's certificate with all its defects.
  /// - Returns: Whether it is trusted; a changed key has priority over defects.
  public func verdict(on certificate: ServerCertificate) -> TrustVerdict {
    let accepted = exceptions(host: certificate.host, port: certificate.port)
    guard pins.isEmpty || pins.contains(certificate.key) else { return .keyChanged }
    let matching = accepted.filter { $0.key == certificate.key }
    guard accepted.isEmpty || !matching.isEmpty else { return .keyChanged }
    let isAccepted = matching.contains { certificate.defects.isSubset(of: $0.defects) }
    return certificate.defects.isEmpty || isAccepted ? .trusted : .untrusted
  }
}

// Whatever else a record holds, a policy would lose it: it could be a restriction.
extension Trust: StoredRecord {
  package static var isClosed: Bool { true }

  /// The policy for the vault; what is as usual is left out.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authorities = facts.optional("authorities", kept?.authorities, unless: .system)
    client = facts.optional("client", kept?.client)
    exceptions = facts.optional("exceptions", kept?.exceptions, unless: [])
    pins = facts.optional("pins", kept?.pins, unless: [])
  }
}

/// As the path of a file; the machine's own have none.
extension Trust.Authorities: Storable {
  package init?(record: String) { self = .file(record) }

  package var record: String {
    if case .file(let path) = self { path } else { "" }
  }
}

extension KeyHash: Storable {
  package init?(record: String) {
    guard let hash = try? KeyHash(record) else { return nil }
    self = hash
  }

  package var record: String { description }
}

extension TrustException: StoredRecord {
  package static var isClosed: Bool { true }

  /// The exception, as a policy and an event hold it.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      host: try facts.required("host", kept?.host), port: try facts.required("port", kept?.port),
      key: try facts.required("key", kept?.key),
      defects: Set(try facts.required("defects", kept?.defects.sorted)))
  }
}

extension CertificateDefect: Storable {}

extension ClientCertificate: StoredRecord {
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      certificate: try facts.required("certificate", kept?.certificate),
      key: try facts.required("key", kept?.key))
  }
}

/// One key that is accepted on one host and port although its certificate has defects.
///
/// It accepts exactly that key with exactly those defects. Compare the key with the one that the
/// server's administrator names before you accept it.
public struct TrustException: Hashable, Sendable {
  /// The host in lower case, as in URLs; an IPv6 address without its brackets.
  public let host: String
  /// The port.
  public let port: Int
  /// The only key that is accepted.
  public let key: KeyHash
  /// The accepted defects; any other one is still rejected.
  public let defects: Set<CertificateDefect>

  /// Makes an exception.
  public init(host: String, port: Int, key: KeyHash, defects: Set<CertificateDefect>) {
    self.host = host.lowercased()
    self.port = port
    self.key = key
    self.defects = defects
  }

  /// Accepts a server's key with its present defects.
  public init(accepting certificate: ServerCertificate) {
    self.init(
      host: certificate.host, port: certificate.port, key: certificate.key,
      defects: certificate.defects)
  }
}

/// The verdict of a trust policy about a server's certificate.
public enum TrustVerdict: Hashable, Sendable {
  /// The request may be sent.
  case trusted
  /// The certificate has a defect that was not accepted: `tls.untrusted`.
  case untrusted
  /// The key was not pinned or accepted: `tls.keyChanged`.
  case keyChanged
}
