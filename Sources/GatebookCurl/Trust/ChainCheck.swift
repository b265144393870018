internal import COpenSSL
internal import GatebookAuthentication
internal import GatebookEvents

/// Verifies a chain of certificates to its end and collects all defects, where OpenSSL would stop
/// at the first (RFC 5280 section 6.1).
struct ChainCheck {
  /// What the callback of one verification found.
  private final class Findings {
    var codes: Set<CInt> = []
  }

  /// Where a verification keeps its findings.
  private static let slot = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_X509_STORE_CTX, 0, nil, nil, nil, nil)

  /// The error to report for a refusal: the gravest of OpenSSL's own, or that the certificate is
  /// not acceptable.
  private(set) var alarm = X509_V_ERR_APPLICATION_VERIFICATION

  /// All defects of the chain for a host.
  ///
  /// - Parameters:
  ///   - chain: OpenSSL's verification, set up with the authorities, not yet run.
  ///   - host: A name or an address as an origin has it.
  ///   - checksRevocation: Whether lists of revoked certificates among the authorities count.
  /// - Returns: The defects; `other` also when the verification itself failed.
  mutating func defects(
    of chain: OpaquePointer, _ host: String, checksRevocation: Bool
  ) -> Set<CertificateDefect> {
    let findings = Findings()
    let place = Unmanaged.passUnretained(findings).toOpaque()
    guard Self.slot >= 0, X509_STORE_CTX_set_ex_data(chain, Self.slot, place) == 1 else {
      return [.other]
    }
    defer { X509_STORE_CTX_set_ex_data(chain, Self.slot, nil) }
    if checksRevocation, Self.holdsRevocationLists(chain) {
      X509_VERIFY_PARAM_set_flags(
        X509_STORE_CTX_get0_param(chain), UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
    }
    X509_STORE_CTX_set_verify_cb(chain) { isGood, chain in
      guard isGood == 0 else { return isGood }
      ChainCheck.note(chain)
      return 1
    }
    let status = X509_verify_cert(chain)
    if let code = findings.codes.min() { alarm = code }
    let leaf = X509_STORE_CTX_get0_cert(chain)
    var defects = Set(findings.codes.map { CertificateDefect($0) })
    if defects.contains(.unknownAuthority) || defects.contains(.selfSigned) {
      defects.subtract([.unknownAuthority, .selfSigned])
      defects.insert(X509_self_signed(leaf, 0) == 1 ? .selfSigned : .unknownAuthority)
      // Nobody else's key can tell: OpenSSL does not check what it does not trust anyway.
      if X509_self_signed(leaf, 0) == 1, X509_self_signed(leaf, 1) != 1 {
        defects.insert(.badSignature)
      }
    }
    if !Self.names(leaf, host) { defects.insert(.wrongHost) }
    if status != 1, defects.isEmpty { defects.insert(.other) }
    return defects
  }

  private static func note(_ chain: OpaquePointer?) {
    guard let place = X509_STORE_CTX_get_ex_data(chain, slot) else { return }
    let code = X509_STORE_CTX_get_error(chain)
    // An authority without a list has revoked nothing: only lists that are there count.
    guard code != X509_V_ERR_UNABLE_TO_GET_CRL else { return }
    Unmanaged<Findings>.fromOpaque(place).takeUnretainedValue().codes.insert(code)
  }

  private static func holdsRevocationLists(_ chain: OpaquePointer) -> Bool {
    let objects = X509_STORE_get0_objects(X509_STORE_CTX_get0_store(chain))
    return (0..<max(0, OPENSSL_sk_num(objects))).contains { index in
      let object = OPENSSL_sk_value(objects, index).map { OpaquePointer($0) }
      return X509_OBJECT_get0_X509_CRL(object) != nil
    }
  }

  /// Whether a certificate names a host (RFC 6125 section 6.4); an address is never a name.
  private static func names(_ leaf: OpaquePointer?, _ host: String) -> Bool {
    if let address = a2i_IPADDRESS(host) {
      ASN1_OCTET_STRING_free(address)
      return X509_check_ip_asc(leaf, host, 0) == 1
    }
    // The dot at the end that makes a name absolute is not part of names in certificates.
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return X509_check_host(
      leaf, name, name.utf8.count, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1
  }
}

extension CertificateDefect {
  /// Reads one of OpenSSL's verification errors (X509_STORE_CTX_get_error(3)).
  init(_ code: CInt) {
    self =
      switch code {
      case X509_V_ERR_CERT_HAS_EXPIRED: .expired
      case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
      case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongHost
      case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
      case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
        X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
        X509_V_ERR_CERT_UNTRUSTED:
        .unknownAuthority
      case X509_V_ERR_CERT_REVOKED: .revoked
      case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE:
        .badSignature
      default: .other
      }
  }
}
