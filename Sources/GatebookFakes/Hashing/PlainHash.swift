internal import Gatebook

/// The hash functions that the fakes check with.
///
/// MD5 and SHA-1 are written out here, so that a fake never judges Gatebook by Gatebook's own code;
/// SHA-256 is libcrypto's.
enum PlainHash: Sendable {
  /// RFC 1321.
  case md5
  /// FIPS 180-4 section 6.1.
  case sha1
  /// FIPS 180-4 section 6.2.
  case sha256

  /// The hash of a message.
  func callAsFunction(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: MD5Hash.of(message)
    case .sha1: SHA1Hash.of(message)
    case .sha256: SHA256().hash(message)
    }
  }

  /// The hash of a text's UTF-8 in lower-case hexadecimal digits.
  func hex(_ text: String) -> String {
    self(Array(text.utf8)).reduce(into: "") { result, byte in
      result += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// The keyed hash of a message (RFC 2104); all three functions work on blocks of 64 bytes.
  func keyed(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? self(key) : key
    let block = short + [UInt8](repeating: 0, count: 64 - short.count)
    return self(block.map { $0 ^ 0x5C } + self(block.map { $0 ^ 0x36 } + message))
  }
}
