internal import GatebookCrypto
internal import GatebookEvents

/// The row that says where a book begins that has no longer all of its past: that of the table
/// `opening`.
struct Baseline: Sendable {
  /// The last event that the baseline counts: folds begin after it.
  var floor: Int64
  /// The first event that the log has; those before it are in the archive.
  var first: Int64
  /// The tree over the events up to `floor`.
  var frontier: Frontier
  /// Its root.
  var root: Digest
  /// The greatest `at` of the events up to `floor`.
  var latest: Int64
  /// The root over the rows of the baseline.
  var state: Digest
  /// Whether events may be lost.
  var isRecovered: Bool
  /// Whether the tree is the original one, and not one that a recovery restarted.
  var isProven: Bool

  /// Reads the row; `nil` for a book that has all of its past.
  static func read(_ connection: Connection) throws(GatebookError) -> Baseline? {
    guard try connection.has(table: "opening") else { return nil }
    let rows = try connection.rows(
      """
      SELECT floor, first, frontier, root, latest, state, recovered, proven
      FROM opening WHERE one = 1
      """)
    guard let row = try rows.next() else { return nil }
    guard row.integer(0) <= BookRecovery.maximum,
      let frontier = Frontier(size: row.integer(0), bytes: row.bytes(2)),
      let root = Digest(bytes: row.raw(3)), let state = Digest(bytes: row.raw(5)),
      (1...row.integer(0) + 1).contains(row.integer(1))
    else { throw .storageDamaged("The record of where the book begins is damaged.") }
    return Baseline(
      floor: row.integer(0), first: row.integer(1), frontier: frontier, root: root,
      latest: row.integer(4), state: state, isRecovered: row.integer(6) != 0,
      isProven: row.integer(7) != 0)
  }

  /// The greatest `at` of a log, including the state that it continues.
  ///
  /// - Parameters:
  ///   - connection: The log.
  ///   - former: Where it begins.
  /// - Returns: Microseconds since 1970.
  /// - Throws: `storage` failures.
  static func latest(
    _ connection: Connection, after former: Baseline?
  ) throws(GatebookError) -> Int64 {
    max(try connection.integer("SELECT max(at) FROM event"), former?.latest ?? .min)
  }

  /// How many events a state in a file of some size may count.
  ///
  /// Each 256 of them have left a root of 32 bytes there; the rest is for a file that was cut.
  ///
  /// - Parameter bytes: The file's size.
  /// - Returns: A floor beyond it is none of a book's.
  static func mostEvents(inFileOf bytes: Int64) -> Int64 { bytes / 32 * 256 + 1 << 24 }

  /// Whether an event that the state speaks of was lost in a recovery, of this book or of an
  /// archived part: the state then names no event at that position.
  ///
  /// - Parameters:
  ///   - position: The position of an event that is not there.
  ///   - connection: The book.
  /// - Returns: `false` for an event that the state names, or that is younger.
  /// - Throws: `storage` failures.
  func hasLost(
    _ position: Position, _ connection: Connection
  ) throws(GatebookError) -> Bool {
    guard position.rawValue <= floor else { return false }
    return try !connection.has(
      "SELECT 1 FROM opening_row WHERE part = ?1 AND name = ?2", BaselineState.event,
      BaselineState.bytes(position.rawValue))
  }

  /// Replaces the row.
  func write(_ connection: Connection) throws(GatebookError) {
    try connection.run(
      "INSERT OR REPLACE INTO opening VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", floor, first,
      root.bytes, frontier.bytes, latest, state.bytes, isRecovered, isProven)
  }
}

extension BookReader {
  /// Whether a fleet forgot the events before those of this copy of a book.
  func forgets(before baseline: Baseline) -> Bool {
    let forgotten = PulledMark.forgotten(row)
    return forgotten > 0 && forgotten == baseline.first - 1
  }

  /// That an event is older than the log.
  func archived(before baseline: Baseline) -> GatebookError {
    let end = baseline.first - 1
    return GatebookError(
      .configurationInvalid,
      forgets(before: baseline)
        ? "The fleet that this copy is from forgot the events up to \(end)."
        : "The events up to \(end) are in the archive.",
      kept: "Nothing was changed.",
      remedy: forgets(before: baseline)
        ? "Ask about later events."
        : "Open the archive with `BookReader.open(at:)` to read them.")
  }
}
