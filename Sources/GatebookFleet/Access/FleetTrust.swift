internal import GatebookSystem

/// Which servers of a fleet are trusted.
///
/// A server that is not on this machine must have a certificate of its name from a trusted
/// authority (`sslmode=verify-full`). A server of this machine need not: one on loopback, or one
/// that is reached by a Unix socket.
public struct FleetTrust: Hashable, Sendable {
  /// The file of the trusted authorities, in PEM; `nil` for the system's.
  public var authorities: String?
  /// Whether a connection to another machine may be in the clear: everybody on the way can then
  /// read and change what is sent.
  public var allowsCleartext: Bool

  /// Makes a decision.
  public init(authorities: String? = nil, allowsCleartext: Bool = false) {
    self.authorities = authorities
    self.allowsCleartext = allowsCleartext
  }

  /// Where distributions keep the system's authorities.
  ///
  /// libpq 15 takes `sslrootcert=system` for the name of a file.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]

  /// The parameters for a server.
  ///
  /// - Parameter isLocal: Whether it is on this machine.
  /// - Returns: libpq's parameters by their names.
  func parameters(isLocal: Bool) -> [String: String] {
    guard authorities == nil, isLocal || allowsCleartext else {
      let bundle = Self.bundles.first { Files.isReadable($0) } ?? Self.bundles[0]
      return ["sslmode": "verify-full", "sslrootcert": authorities ?? bundle]
    }
    // A root.crt in the home folder would turn `prefer` into a check that nobody asked for.
    return ["sslmode": "prefer", "sslrootcert": "/nonexistent"]
  }
}
