internal import COpenSSL

/// How the answers of libcrypto are judged: what can only fail without memory ends the program.
enum OpenSSL {
  /// The handle, which is missing only when libcrypto is out of memory or lacks the algorithm.
  static func handle(_ handle: OpaquePointer?, _ name: StaticString) -> OpaquePointer {
    guard let handle else { preconditionFailure("libcrypto could not make \(name).") }
    return handle
  }

  /// Ends the program unless a call, one that has no expected failure, answered 1.
  static func require(_ status: Int32, _ name: StaticString) {
    guard status == 1 else { preconditionFailure("libcrypto could not finish \(name).") }
  }

  /// Takes an expected refusal out of this thread's error queue.
  ///
  /// The queue is shared with TLS: what stays in it would be read as a failed connection.
  static func forgetRefusal() {
    ERR_clear_error()
  }
}
