internal import GatebookCrypto
internal import GatebookEvents

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

/// Makes event ids: UUIDs of version 7 (RFC 9562 section 5.7), so that the index grows at its end.
struct EventIDSource {
  // A pool only of ids: nonces never come from it.
  private var pool: RandomPool

  init(_ random: any RandomSource) {
    pool = RandomPool(random, piecesOf: 10)
  }

  mutating func next(at moment: Timestamp) -> EventID {
    let bits = pool.next()
    let high = bits.prefix(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = bits.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let milliseconds = UInt64(bitPattern: moment.rawValue / 1000) & 0xFFFF_FFFF_FFFF
    return EventID(
      high: milliseconds << 16 | 0x7000 | high & 0x0FFF,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
