/// What a policy says of one server's certificate.
public enum TrustVerdict: Hashable, Sendable {
  /// The request may be sent.
  case trusted
  /// The certificate has a defect that was not accepted: `tls.untrusted`.
  case untrusted
  /// The key is none of those that were pinned or accepted: `tls.keyChanged`.
  case keyChanged
}

extension Trust {
  /// Judges what a server showed, before anything is sent to it.
  ///
  /// - Pins hold for every server. A host and port with exceptions must show one of the accepted keys,
  ///   else the key has changed, also when the new certificate has no defect.
  /// - An exception lets its own defects pass and no other; two exceptions are never added up.
  ///
  /// - Parameter certificate: What the server showed, with all its defects.
  /// - Returns: Whether it is trusted; a changed key goes before defects.
  public func verdict(on certificate: ServerCertificate) -> TrustVerdict {
    let accepted = exceptions(host: certificate.host, port: certificate.port)
    guard pins.isEmpty || pins.contains(certificate.key) else { return .keyChanged }
    let matching = accepted.filter { $0.key == certificate.key }
    guard accepted.isEmpty || !matching.isEmpty else { return .keyChanged }
    let isAccepted = matching.contains { certificate.defects.isSubset(of: $0.defects) }
    return certificate.defects.isEmpty || isAccepted ? .trusted : .untrusted
  }
}
