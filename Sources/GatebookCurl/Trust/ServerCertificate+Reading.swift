internal import COpenSSL
internal import GatebookAuthentication
internal import GatebookEvents
internal import Glibc

extension ServerCertificate {
  private static let longestName = 256

  /// Reads what a server showed; `nil` when its key has no encoding to hash.
  init?(_ leaf: OpaquePointer, of origin: Origin, _ defects: Set<CertificateDefect>) {
    guard let key = Self.publicKeyInfo(leaf) else { return nil }
    self.init(
      host: origin.host, port: origin.port, key: KeyHash(of: key), defects: defects,
      subject: Self.text(X509_get_subject_name(leaf)),
      issuer: Self.text(X509_get_issuer_name(leaf)),
      notBefore: Self.moment(X509_get0_notBefore(leaf)),
      notAfter: Self.moment(X509_get0_notAfter(leaf)))
  }

  /// The SubjectPublicKeyInfo in DER, as the server sent it.
  private static func publicKeyInfo(_ leaf: OpaquePointer) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(leaf), &bytes)
    defer { CRYPTO_free(bytes, #file, #line) }
    guard let bytes, count > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// A name on one line; OpenSSL writes what is not printable as `\xHH`.
  private static func text(_ name: OpaquePointer?) -> String {
    guard let line = X509_NAME_oneline(name, nil, 0) else { return "" }
    defer { CRYPTO_free(line, #file, #line) }
    return String(String(cString: line).prefix(longestName))
  }

  private static func moment(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Timestamp(rawValue: Int64(timegm(&parts)) * 1_000_000)
  }
}
