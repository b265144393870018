internal import GatebookEvents

/// The entries of both indexes of `event`.
struct IndexEntries: Equatable, Sendable {
  var ids = EntrySum()
  var streams = EntrySum()

  mutating func add(_ others: IndexEntries) {
    ids.add(others.ids)
    streams.add(others.streams)
  }

  /// Adds those of a row that begins as ``CanonicalNames/columns`` say.
  mutating func add(_ row: Statement) {
    let position = row.integer(0)
    streams.add(
      UInt64(bitPattern: row.integer(2)), UInt64(bitPattern: row.integer(3)), at: position)
    guard let id = EventID(bytes: row.raw(1)) else { return }
    ids.add(id.high, id.low, at: position)
  }
}
