internal import COpenSSLTLS
internal import Gatebook
internal import GatebookCrypto

/// The server side of TLS, ready for connections: one `SSL_CTX`.
// Sendable: the context is made ready in `init`; from then on only `SSL_new` reads it, which libssl
// allows to several threads at once.
final class TLSContext: @unchecked Sendable {
  let library: TLSLibrary
  private let context: OpaquePointer

  /// Makes a context, and opens libssl for it.
  init(_ settings: LoopbackTLS) throws(GatebookError) {
    library = try TLSLibrary.open()
    let functions = library.functions
    context = OpenSSL.handle(functions.SSL_CTX_new(functions.TLS_server_method()), "a context")
    // Every connection shows its certificates again, so that no test depends on an earlier one.
    tls_forget_sessions(library.address, context)
    _ = functions.SSL_CTX_set_num_tickets(context, 0)
    let newest = settings.newestVersion == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
    OpenSSL.require(
      tls_limit_versions(library.address, context, TLS1_2_VERSION, newest), "the versions")
    let isUsable = settings.identity.withHandles { certificate, key in
      functions.SSL_CTX_use_certificate(context, certificate) == 1
        && functions.SSL_CTX_use_PrivateKey(context, key) == 1
        && functions.SSL_CTX_check_private_key(context) == 1
    }
    precondition(isUsable, "libssl refused a certificate of its own library.")
    ask(settings.clientCertificates)
  }

  deinit {
    library.functions.SSL_CTX_free(context)
  }

  /// The server's end of TLS over a socket, before its handshake.
  func stream(over socket: LoopbackSocket) -> TLSStream {
    let functions = library.functions
    let connection = OpenSSL.handle(functions.SSL_new(context), "a connection")
    functions.SSL_set_accept_state(connection)
    return TLSStream(adopting: connection, of: library, over: socket)
  }

  private func ask(_ clients: LoopbackTLS.ClientCertificates) {
    let functions = library.functions
    let authorities: [TestCertificate]
    var mode = SSL_VERIFY_PEER
    switch clients {
    case .ignored: return
    case .requested(let of): authorities = of
    case .required(let of):
      authorities = of
      mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    }
    let store = OpenSSL.handle(X509_STORE_new(), "a store")
    defer { X509_STORE_free(store) }
    for authority in authorities {
      authority.withHandles { certificate, _ in
        OpenSSL.require(X509_STORE_add_cert(store, certificate), "the store")
        OpenSSL.require(functions.SSL_CTX_add_client_CA(context, certificate), "the names")
      }
    }
    functions.SSL_CTX_set1_cert_store(context, store)
    functions.SSL_CTX_set_verify(context, mode, nil)
  }
}

/// libssl, opened on first use: the table of its functions.
///
/// Opening it again is cheap: the dynamic linker counts.
// Sendable: the table is filled before anybody sees it and never changes after that.
final class TLSLibrary: @unchecked Sendable {
  private let table: UnsafePointer<tls_functions>

  /// The functions of libssl.
  var functions: tls_functions { table.pointee }

  /// The table for the inline functions of the shim.
  var address: UnsafePointer<tls_functions> { table }

  private init(_ table: UnsafePointer<tls_functions>) {
    self.table = table
  }

  deinit {
    table.deallocate()
  }

  /// Opens libssl by its file name.
  static func open(_ name: String = "libssl.so.3") throws(GatebookError) -> TLSLibrary {
    let table = UnsafeMutablePointer<tls_functions>.allocate(capacity: 1)
    table.initialize(to: tls_functions())
    if let reason = tls_functions_open(table, name) {
      let cause = String(cString: reason)
      table.deallocate()
      throw GatebookError(
        .configurationInvalid, "libssl of OpenSSL 3 is needed and could not be opened.",
        remedy: "Install it: apt install libssl3 (from Debian 13 on: libssl3t64).", cause: cause)
    }
    return TLSLibrary(UnsafePointer(table))
  }
}
