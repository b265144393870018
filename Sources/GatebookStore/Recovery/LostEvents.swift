internal import GatebookEvents

/// The positions whose events a recovery did not find.
struct LostEvents: BookTables {
  let connection: Connection

  /// All of them, in order.
  ///
  /// - Returns: Ranges that do not touch each other's positions.
  /// - Throws: `storage.damaged` for what no recovery writes; other `storage` failures.
  func ranges() throws(GatebookError) -> [ClosedRange<Int64>] {
    guard try connection.has(table: "lost") else { return [] }
    let rows = try connection.rows("SELECT first, last FROM lost ORDER BY first")
    var ranges: [ClosedRange<Int64>] = []
    while let row = try rows.next() {
      let (first, last) = (row.integer(0), row.integer(1))
      guard first > ranges.last?.upperBound ?? 0, first <= last, last <= BookRecovery.maximum else {
        throw .storageDamaged("The list of lost events is damaged.")
      }
      ranges.append(first...last)
    }
    return ranges
  }

  /// The first one; `nil` where none is lost.
  func first() throws(GatebookError) -> Int64? { try ranges().first?.lowerBound }

  func add(_ range: ClosedRange<Int64>) throws(GatebookError) {
    try connection.run("INSERT INTO lost VALUES (?1, ?2)", range.lowerBound, range.upperBound)
  }
}
