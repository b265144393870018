internal import GatebookCrypto
internal import GatebookEvents

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
