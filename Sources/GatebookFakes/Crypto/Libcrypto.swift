internal import COpenSSLTLS

/// What all calls of libcrypto and libssl need.
enum Libcrypto {
  /// The handle, which is missing only when OpenSSL is out of memory.
  static func handle(_ handle: OpaquePointer?, _ name: StaticString) -> OpaquePointer {
    guard let handle else { preconditionFailure("OpenSSL could not make \(name).") }
    return handle
  }

  /// Ends the program unless a call, one that has no expected failure, answered 1.
  static func require(_ status: Int32, _ name: StaticString) {
    guard status == 1 else { preconditionFailure("OpenSSL could not set \(name).") }
  }

  /// The bytes that an `i2d` function allocates.
  static func bytes(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
  ) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = encode(&start)
    guard let start, count > 0 else { preconditionFailure("libcrypto could not encode.") }
    defer { CRYPTO_free(start, "Libcrypto", 0) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// What a `d2i` function makes of bytes.
  static func parsed(
    _ bytes: [UInt8], _ parse: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return parse(&start, buffer.count)
    }
  }

  /// A number's bytes, the highest first.
  ///
  /// - Parameters:
  ///   - number: libcrypto's number.
  ///   - count: How many bytes, with zeros in front; as many as it needs unless given.
  /// - Returns: The bytes.
  static func bytes(of number: OpaquePointer, count: Int? = nil) -> [UInt8] {
    let count = count ?? Int(BN_num_bits(number) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: count)
    BN_bn2binpad(number, &bytes, Int32(count))
    return bytes
  }

  /// Empties the error queue of this thread: what stays in it would be read as the failure of the
  /// next call.
  static func clearErrors() {
    ERR_clear_error()
  }

  /// Takes the latest reason, such as `tlsv1 alert unknown ca`, and empties the error queue.
  static func takeReason() -> String {
    defer { clearErrors() }
    let code = ERR_peek_last_error()
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "the connection ended"
  }
}
