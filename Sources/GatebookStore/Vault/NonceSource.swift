internal import GatebookCrypto

/// Random nonces, drawn from the system many at a time: one call for each would cost more than the
/// encryption.
///
/// Each byte is given out once. A forked process never gets here: it could give them out again.
struct NonceSource {
  private let random: any RandomSource
  private var pool: [UInt8] = []
  private var used = 0
  private static let poolCount = 128 * AuthenticatedCipher.nonceCount

  init(_ random: any RandomSource) {
    self.random = random
  }

  /// Appends the next nonce to other bytes.
  mutating func appendNext(to bytes: inout [UInt8]) {
    if used + AuthenticatedCipher.nonceCount > pool.count {
      pool = random.bytes(Self.poolCount)
      used = 0
    }
    let next = used..<used + AuthenticatedCipher.nonceCount
    bytes.append(contentsOf: pool[next])
    used = next.upperBound
  }
}
