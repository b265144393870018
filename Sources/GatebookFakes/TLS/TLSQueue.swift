internal import COpenSSLTLS

/// The error queue that libssl and libcrypto keep for every thread.
enum TLSQueue {
  /// Empties the queue: what stays in it would be read as the failure of the next call.
  static func clear() {
    ERR_clear_error()
  }

  /// Takes the latest reason, such as `tlsv1 alert unknown ca`, and empties the queue.
  static func takeReason() -> String {
    defer { clear() }
    let code = ERR_peek_last_error()
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "the connection ended"
  }
}
