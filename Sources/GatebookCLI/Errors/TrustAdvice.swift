internal import Gatebook

/// What to do about a server that is not trusted, in the words of the command line.
enum TrustAdvice {
  /// Defects that the server's owner may know of; with any other one nobody should continue.
  private static let acceptable: Set<CertificateDefect> = [
    .expired, .notYetValid, .wrongHost, .selfSigned, .unknownAuthority,
  ]

  /// The failure with another remedy, if it is about a server's certificate or key.
  ///
  /// A changed key is never met with the advice to accept it, nor is another than the one that was
  /// pinned.
  ///
  /// - Parameters:
  ///   - failure: What happened.
  ///   - trust: Whom the request trusted.
  ///   - isLogin: Whether it is a login that names no account.
  /// - Returns: The failure.
  static func added(
    to failure: TransportFailure, trusting trust: Trust, isLogin: Bool
  ) -> TransportFailure {
    var failure = failure
    // Without an account the command would act on the current one.
    let revoke =
      isLogin
      ? "`gatebook trust revoke --account NAME`, with the account's NAME from `gatebook accounts`,"
      : "`gatebook trust revoke`"
    switch failure.error.code {
    case .tlsKeyChanged:
      failure.error.remedy =
        "Someone may be intercepting the connection. Ask the server's administrator whether the key was "
        + "changed. If it was, \(revoke) removes the old key; then log in again."
    case .tlsUntrusted:
      guard let certificate = failure.certificate else { break }
      failure.error.remedy = remedy(certificate, trust)
    default: break
    }
    return failure
  }

  /// Whether a person may be told how to accept a server's key.
  ///
  /// - Parameters:
  ///   - exception: The key and what is wrong with its certificate.
  ///   - trust: What is trusted already.
  /// - Returns: Whether none was pinned or accepted that is another one, and no defect is grave.
  static func mayAccept(_ exception: TrustException, _ trust: Trust) -> Bool {
    let known = trust.exceptions(host: exception.host, port: exception.port)
    return trust.pins.isEmpty && known.allSatisfy { $0.key == exception.key }
      && exception.defects.isSubset(of: acceptable)
  }

  private static func remedy(_ certificate: ServerCertificate, _ trust: Trust) -> String {
    let authority =
      "Check the address. If it is your own server, log in with `--ca-file FILE`, the certificate "
      + "authority that signed it."
    guard certificate.defects.isSubset(of: acceptable) else {
      return
        "Check the address, and ask the server's administrator. Gatebook cannot accept this certificate."
    }
    guard mayAccept(TrustException(accepting: certificate), trust) else {
      return
        "The account accepts only certain keys of this server, and only with a valid certificate. Ask "
        + "the server's administrator to renew the certificate."
    }
    let key = AcceptedKey(certificate.key, defects: certificate.defects)
    return authority
      + " Otherwise compare the key with the one that the server's administrator names. If both are the "
      + "same, log in with `--accept-key \(key)`."
  }
}
