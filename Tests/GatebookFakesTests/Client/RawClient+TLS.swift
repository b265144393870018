import COpenSSLTLS
import GatebookCrypto

@testable import GatebookFakes

/// A handshake that came to nothing for another reason than the server's certificate.
struct FailedHandshake: Error, Equatable {
  var reason: String
}

extension RawClient {
  /// Starts TLS as a client does.
  ///
  /// - Returns: What OpenSSL says about the server's certificate (`X509_V_OK`, or why not).
  func startTLS(_ trust: TLSTrust) throws -> Int32 {
    let library = try TLSLibrary.open()
    let functions = library.functions
    let context = OpenSSL.handle(
      functions.SSL_CTX_new(functions.TLS_client_method()), "a context")
    defer { functions.SSL_CTX_free(context) }
    let store = OpenSSL.handle(X509_STORE_new(), "a store")
    defer { X509_STORE_free(store) }
    for root in trust.roots {
      root.withHandles { certificate, _ in _ = X509_STORE_add_cert(store, certificate) }
    }
    functions.SSL_CTX_set1_cert_store(context, store)
    functions.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    trust.identity?.withHandles { certificate, key in
      _ = functions.SSL_CTX_use_certificate(context, certificate)
      _ = functions.SSL_CTX_use_PrivateKey(context, key)
    }
    let connection = OpenSSL.handle(functions.SSL_new(context), "a connection")
    functions.SSL_set_connect_state(connection)
    OpenSSL.require(functions.SSL_set1_host(connection, trust.host), "the host")
    let stream = TLSStream(
      adopting: connection, of: library, over: LoopbackSocket(adopting: descriptor))
    let failure = stream.shakeHands()
    let verdict = Int32(functions.SSL_get_verify_result(connection))
    if let failure, verdict == X509_V_OK { throw FailedHandshake(reason: failure) }
    if failure == nil { tls = stream }
    return verdict
  }

  /// Connects with TLS; the certificate must be good.
  static func secure(_ port: UInt16, _ trust: TLSTrust) throws -> RawClient {
    guard let client = RawClient(port) else { throw FailedHandshake(reason: "refused") }
    let verdict = try client.startTLS(trust)
    guard verdict == X509_V_OK else { throw FailedHandshake(reason: "verdict \(verdict)") }
    return client
  }
}
