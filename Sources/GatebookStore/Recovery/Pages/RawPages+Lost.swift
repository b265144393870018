extension RawPages {
  /// How many pages hold nothing that is known, or are missing; `rows` of all pages was asked for
  /// before.
  ///
  /// Where the first page does not say which pages are free, one of zeros alone is taken for free:
  /// what is freed is overwritten so.
  func countLost() -> Int64 {
    let (stated, free) = readHeader()
    var lost = max(0, stated - count)
    for number in 1...max(1, count) where !free.contains(number) && !overflow.contains(number) {
      guard let page = page(number) else {
        lost += 1
        continue
      }
      let kind = page[number == 1 ? 100 : 0]
      if [0x02, 0x05, 0x0A, 0x0D].contains(kind) { continue }
      if stated > 0 || number == 1 || page.contains(where: { $0 != 0 }) { lost += 1 }
    }
    return lost
  }

  /// How many pages there are, 0 where that is lost, and which of them are free.
  func readHeader() -> (count: Int64, free: Set<Int64>) {
    guard let first = page(1), Array(first[..<16]) == Array("SQLite format 3\0".utf8),
      first[24..<28] == first[92..<96]
    else { return (0, []) }
    var free: Set<Int64> = []
    var trunk = Self.number(first, 32)
    while trunk != 0, free.insert(trunk).inserted, let page = page(trunk) {
      let leaves = min(Self.number(page, 4), Int64(usable / 4 - 2))
      for index in 0..<Int(leaves) { free.insert(Self.number(page, 8 + 4 * index)) }
      trunk = Self.number(page, 0)
    }
    return (Self.number(first, 28), free)
  }
}
