internal import CCurl
internal import COpenSSL

/// Lets Gatebook judge a server's certificate in the middle of libcurl's TLS handshake.
///
/// OpenSSL asks as soon as it has the certificate: before a client certificate is shown and long
/// before a request leaves. The judged certificate is the one that the connection uses.
struct HandshakeHook {
  /// Where a TLS context keeps its judge, whom it owns: connections outlive the transfer that made
  /// them.
  private static let slot = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil,
    { _, judge, _, _, _, _ in
      if let judge { Unmanaged<CertificateJudge>.fromOpaque(judge).release() }
    })

  private let functions: curl_tls_functions

  /// Finds the functions of a libcurl; `nil` unless it uses the libcrypto of this program.
  init?(_ library: String) {
    var functions = curl_tls_functions()
    let verify: @convention(c) (OpaquePointer?) -> CInt = X509_verify_cert
    guard curl_tls_functions_open(&functions, library) == 1, Self.slot >= 0,
      functions.X509_verify_cert == unsafeBitCast(verify, to: UnsafeMutableRawPointer.self)
    else { return nil }
    self.functions = functions
  }

  /// Makes a judge decide for all connections of a TLS context; says whether he will.
  func install(_ judge: CertificateJudge, on context: UnsafeMutableRawPointer) -> Bool {
    let owned = Unmanaged.passRetained(judge)
    guard functions.SSL_CTX_set_ex_data(context, Self.slot, owned.toOpaque()) == 1 else {
      owned.release()
      return false
    }
    functions.SSL_CTX_set_cert_verify_callback(
      context,
      { chain, judge in
        guard let chain, let judge else { return 0 }
        let isTrusted = Unmanaged<CertificateJudge>.fromOpaque(judge).takeUnretainedValue()
          .judge(OpaquePointer(chain))
        return isTrusted ? 1 : 0
      }, owned.toOpaque())
    functions.SSL_CTX_set_cert_cb(
      context,
      { _, judge in
        if let judge {
          Unmanaged<CertificateJudge>.fromOpaque(judge).takeUnretainedValue().hearDemand()
        }
        return 1
      }, owned.toOpaque())
    return true
  }
}
