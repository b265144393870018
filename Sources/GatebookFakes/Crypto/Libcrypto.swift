internal import COpenSSLTLS
internal import GatebookCrypto

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

extension HashFunction {
  /// The hash of a text in UTF-8.
  func callAsFunction(_ text: String) -> [UInt8] {
    hash(Array(text.utf8))
  }

  /// The hash of a text in UTF-8, in lower-case hexadecimal digits.
  func hex(_ text: String) -> String {
    self(text).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
