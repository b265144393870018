internal import Gatebook

/// What to do about a server that is not trusted, in the words of the command line.
enum TrustAdvice {
  /// Defects that their owner may know of; any other one means that nobody should go on.
  private static let acceptable: Set<CertificateDefect> = [
    .expired, .notYetValid, .wrongHost, .selfSigned, .unknownAuthority,
  ]

  /// The failure with its remedy worded anew, where it is about a server's certificate or key.
  ///
  /// A changed key is never met with the advice to accept it.
  static func added(to failure: TransportFailure) -> TransportFailure {
    var failure = failure
    switch failure.error.code {
    case .tlsKeyChanged:
      failure.error = worded(
        failure.error,
        "Somebody may stand between: ask whoever runs the server whether its key was changed. If it "
          + "was, take the old one back with `gatebook trust revoke`, then log in anew.")
    case .tlsUntrusted:
      guard let certificate = failure.certificate else { break }
      failure.error = worded(failure.error, remedy(certificate))
    default: break
    }
    return failure
  }

  private static func remedy(_ certificate: ServerCertificate) -> String {
    let authority =
      "Check the address. If the server is your own, log in with `--ca-file F`, the authority that "
      + "signed it."
    guard certificate.defects.isSubset(of: acceptable) else {
      return "Check the address, and ask whoever runs the server: this one is not to be accepted."
    }
    let key = AcceptedKey(certificate.key, defects: certificate.defects)
    return authority
      + " Only after you compared the key with what its owner says: `--accept-key \(key)`."
  }

  private static func worded(_ error: GatebookError, _ remedy: String) -> GatebookError {
    var worded = error
    worded.remedy = remedy
    return worded
  }
}
