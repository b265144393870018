internal import GatebookEvents

/// The verdict of a trust policy about a server's certificate.
public enum TrustVerdict: Hashable, Sendable {
  /// The request may be sent.
  case trusted
  /// The certificate has a defect that was not accepted: `tls.untrusted`.
  case untrusted
  /// The key was not pinned or accepted: `tls.keyChanged`.
  case keyChanged
}

extension Trust {
  /// Judges a server's certificate before anything is sent to the server.
  ///
  /// - Pins apply to every server. A host and port with exceptions must show one of the accepted keys;
  ///   otherwise the key has changed, even if the new certificate has no defect.
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
