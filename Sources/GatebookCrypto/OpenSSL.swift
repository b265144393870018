internal import COpenSSL

/// How the answers of libcrypto are judged: what can only fail without memory ends the program.
package enum OpenSSL {
  /// The handle, which is missing only when libcrypto is out of memory or lacks the algorithm.
  package static func handle(_ handle: OpaquePointer?, _ name: StaticString) -> OpaquePointer {
    guard let handle else { preconditionFailure("libcrypto could not make \(name).") }
    return handle
  }

  /// Ends the program unless a call, one that has no expected failure, answered 1.
  package static func require(_ status: Int32, _ name: StaticString) {
    guard status == 1 else { preconditionFailure("libcrypto could not finish \(name).") }
  }

  /// Takes an expected refusal out of this thread's error queue.
  ///
  /// The queue is shared with TLS: what stays in it would be read as a failed connection.
  package static func forgetRefusal() {
    ERR_clear_error()
  }

  /// A name that exists as long as the program: libcrypto keeps its address in parameters and
  /// contexts, when a `String` would be gone.
  static func name(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// One parameter of a call; what it points at is in scope for the call.
  static func parameter(
    _ name: StaticString, _ type: UInt32, _ bytes: UnsafeRawBufferPointer
  ) -> OSSL_PARAM {
    OSSL_PARAM(
      key: OpenSSL.name(name), data_type: type,
      data: UnsafeMutableRawPointer(mutating: bytes.baseAddress), data_size: bytes.count,
      // OSSL_PARAM_UNMODIFIED, a macro that is not imported.
      return_size: .max)
  }
}
