internal import GatebookEvents

/// What the two indexes of `event` hold, each read in its own order and nothing else.
struct IndexScan: Sendable {
  private(set) var entries = IndexEntries()
  private(set) var findings = Findings()
  /// Where the numbers of accounts' events have a gap, from the first one on.
  private(set) var gaps: [Int64: Int64] = [:]
  private let size: Int64

  /// Reads the entries of the first `size` events.
  init(of path: String, upTo size: Int64) {
    self.size = size
    do throws(GatebookError) {
      let connection = try BookReader.open(at: path).connection
      connection.heedCancellation()
      try scanIDs(connection)
      try scanStreams(connection)
    } catch {
      findings.note(error.finding)
    }
  }

  private mutating func scanIDs(_ connection: Connection) throws(GatebookError) {
    var last: EventID?
    try connection.scan("id, position", "event INDEXED BY event_id") { row in
      let position = row.integer(1)
      guard position <= size, let id = EventID(bytes: row.raw(0)) else { return true }
      if let last, id <= last {
        findings.note("The ids of events are out of order.")
        return false
      }
      last = id
      entries.ids.add(id.high, id.low, at: position)
      return true
    }
  }

  /// Within a stream revisions run from the baseline's on, or from 1, without a gap, in the order
  /// of positions.
  private mutating func scanStreams(_ connection: Connection) throws(GatebookError) {
    let floor = try Baseline.read(connection)?.floor ?? 0
    let baseline = BaselineRows(connection)
    var last: (account: Int64, revision: Int64, position: Int64)?
    try connection.scan("account, revision, position", "event INDEXED BY event_stream") {
      (row) throws(GatebookError) in
      let (account, revision) = (row.integer(0), row.integer(1))
      let position = row.integer(2)
      guard position <= size else { return true }
      var before = last.flatMap { $0.account == account ? $0 : nil }
      if position > floor, before?.position ?? 0 <= floor {
        before = (account, try baseline.revision(of: account), before?.position ?? 0)
      }
      // Up to the floor of a recovered book events may be lost.
      let isNext =
        position > floor
        ? revision == (before?.revision ?? 0) &+ 1 : revision > before?.revision ?? 0
      if !isNext || position <= before?.position ?? 0, gaps[account] == nil {
        gaps[account] = position
      }
      last = (account, revision, position)
      entries.streams.add(
        UInt64(bitPattern: account), UInt64(bitPattern: revision), at: position)
      return true
    }
    if !gaps.isEmpty {
      findings.note(
        gaps.count == 1
          ? "The event numbers of one account have gaps."
          : "The event numbers of \(gaps.count) accounts have gaps.")
    }
  }
}

/// The entries of both indexes of `event`.
struct IndexEntries: Equatable, Sendable {
  var ids = EntrySum()
  var streams = EntrySum()

  mutating func add(_ others: IndexEntries) {
    ids.add(others.ids)
    streams.add(others.streams)
  }

  /// Adds those of a row that begins as ``CanonicalNames/columns`` say.
  mutating func add(_ row: some RowValues) {
    let position = row.integer(0)
    streams.add(
      UInt64(bitPattern: row.integer(2)), UInt64(bitPattern: row.integer(3)), at: position)
    guard let id = EventID(bytes: row.raw(1)) else { return }
    ids.add(id.high, id.low, at: position)
  }
}

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
