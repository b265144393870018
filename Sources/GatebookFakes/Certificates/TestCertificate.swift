internal import COpenSSLTLS
public import Gatebook
internal import GatebookCrypto
internal import GatebookSystem

/// A certificate with its private key (P-256), made in memory for a test.
///
/// The key protects nothing: never trust such a certificate outside a test.
///
/// ```swift
/// let authority = TestAuthority()
/// let good = try authority.issue()
/// let lapsed = try authority.issue(validity: .expired)
/// let stranger = try TestCertificate.selfSigned()
/// ```
public struct TestCertificate: Hashable, Sendable {
  /// A name of a server, as `subjectAltName` tells it (RFC 5280 section 4.2.1.6).
  public enum Name: Hashable, Sendable {
    /// A host name, such as `localhost`.
    case host(String)
    /// An IP address, such as `127.0.0.1`.
    case address(String)

    var text: String {
      switch self {
      case .host(let name): "DNS:\(name)"
      case .address(let address): "IP:\(address)"
      }
    }
  }

  /// When a certificate is valid, by fixed dates far away: making one needs no clock.
  public enum Validity: Hashable, Sendable, CaseIterable {
    /// From the year 2000 to the end of 2099.
    case current
    /// In January 2000.
    case expired
    /// In January 2100 and later.
    case notYetValid

    var limits: (start: String, end: String) {
      switch self {
      case .current: ("20000101000000Z", "20991231235959Z")
      case .expired: ("20000101000000Z", "20000131235959Z")
      case .notYetValid: ("21000101000000Z", "21991231235959Z")
      }
    }
  }

  /// The names of a server on this machine: 127.0.0.1 and localhost.
  public static let loopback: [Name] = [.address("127.0.0.1"), .host("localhost")]

  /// The name of a server elsewhere: wrong for every listener on this machine.
  public static let elsewhere: [Name] = [.host("elsewhere.example.test")]

  /// The certificate, DER.
  public let der: [UInt8]
  /// The private key, DER.
  let key: [UInt8]
  /// The SHA-256 of the public key (SPKI): `sha256/` and Base64 (RFC 7469 section 2.4).
  public let pin: String

  /// Takes over a certificate that was just signed.
  init(der: [UInt8], key: OpaquePointer) {
    self.der = der
    self.key = Libcrypto.bytes { i2d_PrivateKey(key, $0) }
    let certificate = Self.parsed(der)
    defer { X509_free(certificate) }
    pin = X509Draft.pin(of: certificate)
  }

  /// The certificate as a PEM text.
  public var pem: String {
    Base64Text.armored("CERTIFICATE", der)
  }

  /// The private key as a PEM text.
  public var keyPEM: String {
    Base64Text.armored("EC PRIVATE KEY", key)
  }

  /// Makes a server's certificate that is signed only by its own key.
  ///
  /// - Parameters:
  ///   - names: What the server is called; 127.0.0.1 and localhost unless given.
  ///   - validity: When it is valid.
  ///   - other: A certificate whose key the new one takes over, as a renewal does; a new key
  ///     unless given.
  /// - Returns: The certificate.
  /// - Throws: `configuration.invalid` if a certificate cannot hold a name.
  public static func selfSigned(
    _ names: [Name] = loopback, validity: Validity = .current,
    keyOf other: TestCertificate? = nil
  ) throws(GatebookError) -> TestCertificate {
    let key = newKey(other)
    defer { EVP_PKEY_free(key) }
    let draft = X509Draft("Gatebook test server", key: key, validity)
    try draft.describeServer(names, issuer: nil)
    return TestCertificate(der: draft.signed(by: nil, key), key: key)
  }

  /// Lends the certificate and its key as libcrypto knows them.
  func withHandles<Result>(_ body: (OpaquePointer, OpaquePointer) -> Result) -> Result {
    let certificate = Self.parsed(der)
    let key = Self.newKey(self)
    defer {
      EVP_PKEY_free(key)
      X509_free(certificate)
    }
    return body(certificate, key)
  }

  /// A new key, or a copy of another certificate's.
  static func newKey(_ other: TestCertificate?) -> OpaquePointer {
    guard let bytes = other?.key else { return OpenSSL.handle(tls_new_key(), "a key") }
    return OpenSSL.handle(
      Libcrypto.parsed(bytes) { d2i_AutoPrivateKey(nil, $0, $1) }, "a key")
  }

  private static func parsed(_ der: [UInt8]) -> OpaquePointer {
    OpenSSL.handle(Libcrypto.parsed(der) { d2i_X509(nil, $0, $1) }, "a certificate")
  }

  /// The paths of the two PEM files of a certificate.
  public struct Files: Hashable, Sendable {
    /// The file of the certificate.
    public let certificate: String
    /// The file of the private key, for its owner alone.
    public let key: String
  }

  /// Writes the certificate and the key as PEM files, in place of files of the same names.
  ///
  /// - Parameters:
  ///   - folder: A folder that exists.
  ///   - name: What both files are called; `.pem` and `.key.pem` are added.
  /// - Returns: The paths.
  /// - Throws: `configuration.invalid` when a file cannot be written.
  public func write(to folder: String, as name: String) throws(GatebookError) -> Files {
    let files = Files(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key.pem")
    try Self.write(pem, to: files.certificate, mode: 0o644)
    try Self.write(keyPEM, to: files.key, mode: 0o600)
    return files
  }

  private static func write(
    _ text: String, to path: String, mode: UInt32
  ) throws(GatebookError) {
    if let file = OpenFile.open(path, .replace, mode: mode), file.write(Array(text.utf8)) { return }
    throw GatebookError(
      .configurationInvalid, "The file \(path) cannot be written.",
      remedy: "Choose a folder that exists and is yours.",
      cause: "errno \(SystemError.last.number)")
  }
}
