internal import COpenSSLTLS
internal import GatebookCrypto

/// What calls of libcrypto and libssl need beside what GatebookCrypto has for all.
enum Libcrypto {
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

  /// Takes the latest reason, such as `tlsv1 alert unknown ca`, and empties the error queue.
  static func takeReason() -> String {
    defer { OpenSSL.forgetRefusal() }
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
