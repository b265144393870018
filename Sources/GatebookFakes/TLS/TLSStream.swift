internal import COpenSSLTLS
internal import GatebookCrypto

/// One end of TLS over a socket; belongs to one thread.
///
/// libssl sees only memory: the bytes go through the socket's own calls, so a client that is gone
/// raises no signal, and disconnecting the socket ends the stream.
final class TLSStream: LoopbackStream {
  private static let block = 64 << 10

  private let library: TLSLibrary
  private let connection: OpaquePointer
  private let socket: LoopbackSocket
  /// What came from the network, and what is to go there; both belong to `connection`.
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer

  init(adopting connection: OpaquePointer, of library: TLSLibrary, over socket: LoopbackSocket) {
    self.library = library
    self.connection = connection
    self.socket = socket
    incoming = OpenSSL.handle(BIO_new(BIO_s_mem()), "a buffer")
    outgoing = OpenSSL.handle(BIO_new(BIO_s_mem()), "a buffer")
    library.functions.SSL_set_bio(connection, incoming, outgoing)
  }

  deinit {
    library.functions.SSL_free(connection)
  }

  /// Agrees on keys; returns why that failed, `nil` when it did not.
  func shakeHands() -> String? {
    while true {
      OpenSSL.forgetRefusal()
      let status = library.functions.SSL_do_handshake(connection)
      let reason = library.functions.SSL_get_error(connection, status)
      // Read before anything is sent: the queue says nothing about a socket.
      let words = status == 1 || reason == SSL_ERROR_WANT_READ ? "" : Libcrypto.takeReason()
      let isFlushed = flush()
      if status == 1 { return isFlushed ? nil : "the connection ended" }
      guard reason == SSL_ERROR_WANT_READ else { return words }
      guard isFlushed, fill() else { return "the connection ended" }
    }
  }

  /// Reads what is there, at most 64 KiB; empty at the end of the stream or after an error.
  func receive() -> [UInt8] {
    while true {
      OpenSSL.forgetRefusal()
      var status: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.block) { buffer, count in
        status = library.functions.SSL_read(connection, buffer.baseAddress, Int32(buffer.count))
        count = max(0, Int(status))
      }
      if status > 0 { return bytes }
      let reason = library.functions.SSL_get_error(connection, status)
      OpenSSL.forgetRefusal()
      guard flush(), reason == SSL_ERROR_WANT_READ, fill() else { return [] }
    }
  }

  /// Writes everything; `false` when the other side is gone.
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { return true }
    OpenSSL.forgetRefusal()
    let status = library.functions.SSL_write(connection, bytes, Int32(bytes.count))
    OpenSSL.forgetRefusal()
    return status == Int32(bytes.count) && flush()
  }

  /// Ends the connection below TLS by a reset.
  func reset() {
    socket.reset()
  }

  /// Says that nothing more comes (RFC 8446 section 6.1, `close_notify`).
  func endSending() {
    _ = library.functions.SSL_shutdown(connection)
    OpenSSL.forgetRefusal()
    _ = flush()
    socket.endSending()
  }

  /// The version that was agreed on, such as `TLSv1.3`.
  var version: String {
    library.functions.SSL_get_version(connection).map { String(cString: $0) } ?? ""
  }

  /// The pin of the other side's certificate; `nil` when it showed none.
  var peerPin: String? {
    guard let certificate = library.functions.SSL_get1_peer_certificate(connection) else {
      return nil
    }
    defer { X509_free(certificate) }
    return X509Draft.pin(of: certificate)
  }

  /// Sends what libssl has written.
  private func flush() -> Bool {
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.block) { buffer, count in
        count = max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(buffer.count))))
      }
      guard !bytes.isEmpty else { return true }
      guard socket.send(bytes) else { return false }
    }
  }

  /// Waits for bytes and gives them to libssl; `false` at the end of the connection.
  private func fill() -> Bool {
    let bytes = socket.receive()
    guard !bytes.isEmpty else { return false }
    return BIO_write(incoming, bytes, Int32(bytes.count)) == Int32(bytes.count)
  }
}
