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
