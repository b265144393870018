internal import GatebookEvents

/// The positions whose events a recovery did not find.
struct LostEvents {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// All of them, in order.
  ///
  /// - Returns: Ranges that do not touch each other's positions.
  /// - Throws: `storage.damaged` for what no recovery writes; other `storage` failures.
  func ranges() throws(GatebookError) -> [ClosedRange<Int64>] {
    guard try connection.has(table: "lost") else { return [] }
    let rows = try connection.statement("SELECT first, last FROM lost ORDER BY first")
    defer { rows.reset() }
    var ranges: [ClosedRange<Int64>] = []
    while try rows.step() {
      let (first, last) = (rows.integer(0), rows.integer(1))
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
    let row = try connection.statement("INSERT INTO lost VALUES (?1, ?2)")
    row.bind(1, range.lowerBound)
    row.bind(2, range.upperBound)
    try row.run()
  }
}
