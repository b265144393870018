internal import COpenSSL

/// How a hash is padded before it is signed with RSA (RFC 8017 section 8).
package enum RSAPadding: Hashable, Sendable {
  /// RSASSA-PKCS1-v1_5 (section 8.2).
  case pkcs1
  /// RSASSA-PSS (section 8.1), MGF1 with the same hash.
  ///
  /// RFC 7518 section 3.5: "The size of the salt value is the same size as the hash function
  /// output."
  case pss

  /// Sets it for one signature or its verification; `false` if libcrypto refuses it.
  func set(in context: OpaquePointer?) -> Bool {
    switch self {
    case .pkcs1: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .pss:
      // MGF1 takes the signature's hash unless another one is set.
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
  }
}
