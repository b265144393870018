internal import COpenSSL
public import GatebookAuthentication
public import GatebookEvents

extension CurlTransport {
  /// Refuses files of a trust that no request could use.
  ///
  /// - Parameter trust: Which servers are trusted.
  /// - Throws: `configuration.invalid` for authorities that cannot be read, and for a client's
  ///   certificate or key that cannot be used.
  public static func check(_ trust: Trust) throws(GatebookError) {
    if case .file(let path) = trust.authorities, !holdsCertificates(path) {
      throw GatebookError(
        .configurationInvalid, "The authorities in \(path) cannot be read.",
        kept: "Nothing was sent.", remedy: "Name a readable PEM file of certificates.")
    }
    guard let client = trust.client, let fault = client.fault else { return }
    throw GatebookError(
      .configurationInvalid, .clientFiles, fault, kept: "Nothing was sent.",
      remedy: "Name the PEM files of a certificate and of its unencrypted key.")
  }

  private static func holdsCertificates(_ path: String) -> Bool {
    defer { ERR_clear_error() }
    guard let file = BIO_new_file(path, "r") else { return false }
    defer { BIO_free(file) }
    // Also `BEGIN TRUSTED CERTIFICATE`, as OpenSSL's own lists have it.
    guard let certificate = PEM_read_bio_X509_AUX(file, nil, nil, nil) else { return false }
    X509_free(certificate)
    return true
  }
}

extension ClientCertificate {
  /// Why libcurl could not use the files, and which one it is about.
  var trouble: String {
    fault ?? "The certificate \(certificate) or its key \(key) cannot be used."
  }

  /// What is wrong with the files; `nil` for nothing that can be seen without a server.
  var fault: String? {
    // libcrypto's own notes must not be read as a failure of another connection.
    defer { ERR_clear_error() }
    guard let certificateFile = BIO_new_file(certificate, "r") else {
      return "The certificate \(certificate) cannot be read."
    }
    defer { BIO_free(certificateFile) }
    guard let certificate = PEM_read_bio_X509(certificateFile, nil, noPassword, nil) else {
      return "\(self.certificate) holds no certificate in PEM."
    }
    defer { X509_free(certificate) }
    guard let keyFile = BIO_new_file(key, "r") else { return "The key \(key) cannot be read." }
    defer { BIO_free(keyFile) }
    var isEncrypted = false
    guard let key = PEM_read_bio_PrivateKey(keyFile, nil, noPassword, &isEncrypted) else {
      return isEncrypted
        ? "The key \(self.key) is encrypted." : "\(self.key) holds no private key in PEM."
    }
    defer { EVP_PKEY_free(key) }
    return X509_check_private_key(certificate, key) == 1
      ? nil
      : "The key \(self.key) does not fit the certificate \(self.certificate)."
  }
}

/// Answers libcrypto's question for a password with none, and notes that it was asked.
///
/// Without it libcrypto would ask the person at the terminal.
private func noPassword(
  _ password: UnsafeMutablePointer<CChar>?, _ size: CInt, _ isWriting: CInt,
  _ isEncrypted: UnsafeMutableRawPointer?
) -> CInt {
  isEncrypted?.assumingMemoryBound(to: Bool.self).pointee = true
  return -1
}
