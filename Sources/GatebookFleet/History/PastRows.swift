internal import Gatebook
internal import GatebookStore

/// The rows of `gatebook.past`: what a history begins with.
enum PastRows: String {
  /// What the book sent: the state that it continued from after an archive or a recovery.
  case book = ""
  /// What the fleet made of events that it forgot.
  case start = "start."

  /// Which rows are meant, as a condition.
  var condition: String {
    switch self {
    case .book: "part NOT LIKE 'start.%'"
    case .start: "part LIKE 'start.%' AND part NOT LIKE 'start.counted.%'"
    }
  }

  /// Reads the rows of a branch.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - branch: The branch; `nil` for none.
  ///   - rows: Which of its rows.
  ///   - connection: The fleet, as an auditor.
  /// - Returns: The rows by the names that a book gives to their parts.
  /// - Throws: `fleet` failures.
  static func read(
    of book: BookID, _ branch: Int?, _ rows: PastRows, _ connection: FleetConnection
  ) throws(GatebookError) -> [ShippedRow] {
    guard let branch else { return [] }
    let prefix = rows.rawValue.count
    return try connection.run(
      """
      SELECT substr(part, \(prefix + 1)), name, content FROM gatebook.past
      WHERE book = $1 AND branch = $2 AND \(rows.condition)
      """, .identity(book), .small(Int32(branch))
    ).map { ShippedRow(part: $0.text(0), name: $0.bytes(1), content: $0.bytes(2)) }
  }
}
