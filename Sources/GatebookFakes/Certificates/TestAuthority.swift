internal import COpenSSLTLS
public import Gatebook

/// An authority that signs the certificates of a test's servers and clients.
public struct TestAuthority: Hashable, Sendable {
  /// The authority's own certificate, for those who are to trust it.
  public let certificate: TestCertificate

  /// Makes an authority with a key of its own.
  ///
  /// - Parameter name: What it is called.
  public init(_ name: String = "Gatebook test authority") {
    let key = TestCertificate.newKey(nil)
    defer { EVP_PKEY_free(key) }
    let draft = X509Draft(name, key: key, .current)
    draft.describeAuthority()
    certificate = TestCertificate(der: draft.signed(by: nil, key), key: key)
  }

  /// Makes a server's certificate.
  ///
  /// - Parameters:
  ///   - names: What the server is called; 127.0.0.1 and localhost unless given.
  ///   - validity: When it is valid.
  ///   - other: A certificate whose key the new one takes over, as a renewal does; a new key
  ///     unless given.
  /// - Returns: The certificate.
  /// - Throws: `configuration.invalid` if a certificate cannot hold a name.
  public func issue(
    _ names: [TestCertificate.Name] = TestCertificate.loopback,
    validity: TestCertificate.Validity = .current, keyOf other: TestCertificate? = nil
  ) throws(GatebookError) -> TestCertificate {
    try issue(names, validity, keyOf: other, isForged: false)
  }

  /// Makes a server's certificate that names this authority, but was signed with another key.
  ///
  /// - Parameter names: What the server is called; 127.0.0.1 and localhost unless given.
  /// - Returns: A certificate whose signature is bad.
  /// - Throws: `configuration.invalid` if a certificate cannot hold a name.
  public func forge(
    _ names: [TestCertificate.Name] = TestCertificate.loopback
  ) throws(GatebookError) -> TestCertificate {
    try issue(names, .current, keyOf: nil, isForged: true)
  }

  /// Makes a certificate by which a client proves who it is.
  ///
  /// - Parameters:
  ///   - name: What the client is called.
  ///   - validity: When it is valid.
  /// - Returns: The certificate.
  public func issueClient(
    _ name: String, validity: TestCertificate.Validity = .current
  ) -> TestCertificate {
    let key = TestCertificate.newKey(nil)
    defer { EVP_PKEY_free(key) }
    return certificate.withHandles { issuer, issuerKey in
      let draft = X509Draft(name, key: key, validity)
      draft.describeClient(issuer: issuer)
      return TestCertificate(der: draft.signed(by: issuer, issuerKey), key: key)
    }
  }

  private func issue(
    _ names: [TestCertificate.Name], _ validity: TestCertificate.Validity,
    keyOf other: TestCertificate?, isForged: Bool
  ) throws(GatebookError) -> TestCertificate {
    let key = TestCertificate.newKey(other)
    defer { EVP_PKEY_free(key) }
    let made = certificate.withHandles { issuer, issuerKey in
      Result { () throws(GatebookError) in
        let draft = X509Draft("Gatebook test server", key: key, validity)
        try draft.describeServer(names, issuer: issuer)
        let der = draft.signed(by: issuer, isForged ? key : issuerKey)
        return TestCertificate(der: der, key: key)
      }
    }
    return try made.get()
  }
}
