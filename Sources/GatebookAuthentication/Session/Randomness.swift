internal import GatebookCrypto

/// The fresh random bytes of one input, spread over what needs some: each purpose has bytes that
/// tell nothing of another's.
struct Randomness: Sendable {
  private let bytes: [UInt8]

  /// Takes fresh random bytes, 32 or more.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// 32 bytes for a purpose; the same bytes for the same purpose.
  func bytes(for purpose: String) -> [UInt8] {
    HKDF.sha256(secret: bytes, salt: [], info: Array(purpose.utf8), count: 32)
  }
}

extension Input {
  /// The input's random bytes, spread over purposes.
  var randomness: Randomness { Randomness(random) }
}
