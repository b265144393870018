/// One number that stands for a set of index entries, in whatever order they are met.
///
/// It is the sum of a hash of each entry under the random key of this process: equal sums mean
/// equal sets, and nobody can make others with the same sum beforehand. The table's rows and an
/// index's entries are each read in their own order, which is several times faster than to look
/// every row up in the index.
struct EntrySum: Equatable, Sendable {
  private var sum: UInt64 = 0

  /// Adds an entry by its key, two numbers, and the position that it leads to.
  mutating func add(_ first: UInt64, _ second: UInt64, at position: Int64) {
    var hasher = Hasher()
    hasher.combine(first)
    hasher.combine(second)
    hasher.combine(position)
    sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
  }

  mutating func add(_ other: EntrySum) {
    sum &+= other.sum
  }
}
