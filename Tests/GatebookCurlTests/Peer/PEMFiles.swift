internal import COpenSSL
internal import GatebookFakes
internal import Testing

/// PEM texts that the test certificates cannot make themselves.
enum PEMFiles {
  /// A list by which an authority takes certificates back (RFC 5280 section 5).
  static func revocationList(
    of authority: TestCertificate, revoking certificates: [TestCertificate]
  ) throws -> String {
    let issuer = try #require(readCertificate(authority.pem))
    let key = try #require(readKey(authority.keyPEM))
    let list = try #require(X509_CRL_new())
    defer {
      X509_free(issuer)
      EVP_PKEY_free(key)
      X509_CRL_free(list)
    }
    // RFC 5280 section 5.1.2.1: version 2 has the value 1.
    X509_CRL_set_version(list, 1)
    X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer))
    let (start, end) = (ASN1_TIME_new(), ASN1_TIME_new())
    defer {
      ASN1_TIME_free(start)
      ASN1_TIME_free(end)
    }
    ASN1_TIME_set_string_X509(start, "20000101000000Z")
    ASN1_TIME_set_string_X509(end, "20991231235959Z")
    X509_CRL_set1_lastUpdate(list, start)
    X509_CRL_set1_nextUpdate(list, end)
    for revoked in certificates {
      let leaf = try #require(readCertificate(revoked.pem))
      defer { X509_free(leaf) }
      let entry = try #require(X509_REVOKED_new())
      X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(leaf))
      X509_REVOKED_set_revocationDate(entry, start)
      try #require(X509_CRL_add0_revoked(list, entry) == 1)
    }
    try #require(X509_CRL_sign(list, key, EVP_sha256()) > 0)
    return try text { PEM_write_bio_X509_CRL($0, list) }
  }

  /// A private key encrypted with a password.
  static func encryptedKey(of certificate: TestCertificate, _ password: String) throws -> String {
    let key = try #require(readKey(certificate.keyPEM))
    defer { EVP_PKEY_free(key) }
    return try text {
      PEM_write_bio_PKCS8PrivateKey(
        $0, key, EVP_aes_256_cbc(), password, CInt(password.utf8.count), nil, nil)
    }
  }

  private static func readCertificate(_ pem: String) -> OpaquePointer? {
    read(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
  }

  private static func readKey(_ pem: String) -> OpaquePointer? {
    read(pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
  }

  /// Lends a text to libcrypto, which reads it in place and makes no copy.
  private static func read(
    _ pem: String, _ body: (OpaquePointer?) -> OpaquePointer?
  ) -> OpaquePointer? {
    Array(pem.utf8).withUnsafeBytes { text in
      let bytes = BIO_new_mem_buf(text.baseAddress, CInt(text.count))
      defer { BIO_free(bytes) }
      return body(bytes)
    }
  }

  private static func text(_ write: (OpaquePointer) -> CInt) throws -> String {
    let bytes = try #require(BIO_new(BIO_s_mem()))
    defer { BIO_free(bytes) }
    try #require(write(bytes) == 1)
    var text = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(bytes, &text, CInt(text.count))
    try #require(count > 0)
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
