internal import GatebookCrypto

/// Random pieces of one size, drawn from the system 128 at a time: one call for each would cost
/// more than what they are for.
///
/// Each byte is given out once. A forked process never gets here: it could give them out again.
struct RandomPool {
  private let random: any RandomSource
  private let size: Int
  private var pool: [UInt8] = []
  private var used = 0

  init(_ random: any RandomSource, piecesOf size: Int) {
    self.random = random
    self.size = size
  }

  /// The next piece.
  mutating func next() -> ArraySlice<UInt8> {
    if used + size > pool.count {
      pool = random.bytes(128 * size)
      used = 0
    }
    used += size
    return pool[used - size..<used]
  }
}
