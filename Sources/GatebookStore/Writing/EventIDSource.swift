internal import GatebookCrypto
internal import GatebookEvents

/// Makes event ids: UUIDs of version 7 (RFC 9562 section 5.7), so that the index grows at its end.
struct EventIDSource {
  private let random: any RandomSource
  // A pool only of ids: nonces never come from it.
  private var pool: [UInt8] = []
  private var used = 0

  init(_ random: any RandomSource) {
    self.random = random
  }

  mutating func next(at moment: Timestamp) -> EventID {
    if used + 10 > pool.count {
      pool = random.bytes(1280)
      used = 0
    }
    var bits: (UInt64, UInt64) = (0, 0)
    for index in 0..<2 { bits.0 = bits.0 << 8 | UInt64(pool[used + index]) }
    for index in 2..<10 { bits.1 = bits.1 << 8 | UInt64(pool[used + index]) }
    used += 10
    let milliseconds = UInt64(bitPattern: moment.rawValue / 1000) & 0xFFFF_FFFF_FFFF
    return EventID(
      high: milliseconds << 16 | 0x7000 | bits.0 & 0x0FFF,
      low: bits.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
