internal import COpenSSLTLS
internal import Gatebook
internal import GatebookCrypto

/// A certificate on its way: libcrypto's `X509` until it is signed.
final class X509Draft {
  private let certificate: OpaquePointer

  /// A certificate of version 3 with a serial number of its own.
  ///
  /// - Parameters:
  ///   - name: The common name of the subject.
  ///   - key: The subject's key.
  ///   - validity: When it is valid.
  init(_ name: String, key: OpaquePointer, _ validity: TestCertificate.Validity) {
    certificate = OpenSSL.handle(X509_new(), "a certificate")
    // RFC 5280 section 4.1.2.1: version 3 has the value 2.
    OpenSSL.require(X509_set_version(certificate, 2), "the version")
    // RFC 5280 section 4.1.2.2: a positive number of at most 20 bytes.
    let serial = UInt64.random(in: 1...UInt64(Int64.max))
    OpenSSL.require(
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial), "the serial number")
    let (start, end) = validity.limits
    OpenSSL.require(
      ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), start), "the start")
    OpenSSL.require(ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), end), "the end")
    let text = Array(name.utf8)
    OpenSSL.require(
      X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0),
      "the subject")
    OpenSSL.require(X509_set_pubkey(certificate, key), "the key")
  }

  deinit {
    X509_free(certificate)
  }

  /// Adds an extension in the words of `x509v3_config`; `false` when libcrypto refuses the value.
  func add(_ identifier: Int32, _ value: String, issuer: OpaquePointer? = nil) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer ?? certificate, certificate, nil, nil, 0)
    guard let made = X509V3_EXT_nconf_nid(nil, &context, identifier, value) else {
      OpenSSL.forgetRefusal()
      return false
    }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(certificate, made, -1) == 1
  }

  /// Names the issuer, signs, and hands out the DER bytes.
  ///
  /// - Parameters:
  ///   - issuer: The issuer's certificate; `nil` for a certificate that signs itself.
  ///   - key: The key that signs.
  /// - Returns: The certificate, DER (RFC 5280 section 4.1).
  func signed(by issuer: OpaquePointer?, _ key: OpaquePointer) -> [UInt8] {
    let name = X509_get_subject_name(issuer ?? certificate)
    OpenSSL.require(X509_set_issuer_name(certificate, name), "the issuer")
    precondition(X509_sign(certificate, key, EVP_sha256()) > 0, "libcrypto could not sign.")
    return Libcrypto.bytes { i2d_X509(certificate, $0) }
  }

  /// The SHA-256 of a certificate's public key, the form of RFC 7469 section 2.1.1 included:
  /// `sha256/` and 44 characters of Base64.
  static func pin(of certificate: OpaquePointer) -> String {
    let key = Libcrypto.bytes { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
    return "sha256/" + Base64Text.encode(HashFunction.sha256.hash(key))
  }

  /// Says that this is an authority (RFC 5280 sections 4.2.1.2, 4.2.1.3 and 4.2.1.9).
  func describeAuthority() {
    let isDescribed =
      add(NID_basic_constraints, "critical,CA:TRUE")
      && add(NID_key_usage, "critical,keyCertSign,cRLSign")
      && add(NID_subject_key_identifier, "hash")
    precondition(isDescribed, "libcrypto refused the extensions of an authority.")
  }

  /// Says which server this is.
  func describeServer(
    _ names: [TestCertificate.Name], issuer: OpaquePointer?
  ) throws(GatebookError) {
    describeEnd("serverAuth", issuer: issuer)
    // A comma would begin another name.
    let isPlain = names.allSatisfy { !$0.text.utf8.contains(UInt8(ascii: ",")) }
    let text = names.map(\.text).joined(separator: ",")
    guard isPlain, !names.isEmpty, add(NID_subject_alt_name, text) else {
      throw GatebookError(
        .configurationInvalid, "A certificate cannot carry these names: \(text).",
        remedy: "Give host names as .host and IP addresses as .address.")
    }
  }

  /// Says that this is a client.
  func describeClient(issuer: OpaquePointer?) {
    describeEnd("clientAuth", issuer: issuer)
  }

  private func describeEnd(_ purpose: String, issuer: OpaquePointer?) {
    var isDescribed =
      add(NID_basic_constraints, "critical,CA:FALSE")
      && add(NID_ext_key_usage, purpose)
      && add(NID_subject_key_identifier, "hash")
    if let issuer {
      isDescribed =
        isDescribed && add(NID_authority_key_identifier, "keyid:always", issuer: issuer)
    }
    precondition(isDescribed, "libcrypto refused the extensions of a certificate.")
  }
}
