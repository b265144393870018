internal import Gatebook
internal import GatebookEvents

/// A history that has rows in a fleet and is not in `gatebook.branch`: somebody added them.
struct UnknownRows {
  let book: BookID
  /// Its number; `nil` if only programs of the book are there.
  let branch: Int?
  /// Whether the book has other histories.
  let isOfKnownBook: Bool
  /// Its first event, if it has one.
  let first: Position?

  /// Those of all books on servers that answer.
  ///
  /// - Parameters:
  ///   - missing: The numbers of the parts on other servers.
  ///   - connection: The fleet.
  /// - Returns: The histories, in the order of their books.
  /// - Throws: `fleet` failures.
  static func all(
    besides missing: [Int64], _ connection: FleetConnection
  ) throws(GatebookError) -> [UnknownRows] {
    try connection.run(
      """
      SELECT book, branch, is_known, first FROM gatebook.unknown_histories($1::integer[])
      ORDER BY book, branch
      """, .integers(missing)
    ).map { (row) throws(GatebookError) in try UnknownRows(row) }
  }

  /// Those of one known book: it goes from one history to the next, however many events they have.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - known: Its histories; at least one.
  ///   - connection: The fleet.
  /// - Returns: The others, in the order of their numbers.
  /// - Throws: `fleet` failures.
  static func of(
    _ book: BookID, besides known: [HistoryHead], _ connection: FleetConnection
  ) throws(GatebookError) -> [UnknownRows] {
    let numbers = known.map { "\($0.branch)" }.joined(separator: ", ")
    let others = "book = $1 AND branch NOT IN (\(numbers))"
    return try connection.run(
      """
      WITH RECURSIVE walk (branch) AS (
        (SELECT branch FROM gatebook.event WHERE book = $1 ORDER BY branch LIMIT 1)
        UNION ALL
        SELECT (SELECT e.branch FROM gatebook.event e WHERE e.book = $1 AND e.branch > w.branch
          ORDER BY e.branch LIMIT 1)
        FROM walk w WHERE w.branch IS NOT NULL
      ), found AS (
        SELECT branch FROM walk
        UNION SELECT branch FROM gatebook.checkpoint WHERE \(others)
        UNION SELECT branch FROM gatebook.past WHERE \(others)
        UNION SELECT branch FROM gatebook.state WHERE \(others)
        UNION SELECT branch FROM gatebook.tally WHERE \(others)
        UNION SELECT branch FROM gatebook.total WHERE \(others)
      )
      SELECT $1, f.branch, true, (SELECT min(e.position) FROM gatebook.event e
        WHERE e.book = $1 AND e.branch = f.branch)
      FROM found f WHERE branch NOT IN (\(numbers)) ORDER BY f.branch
      """, .identity(book)
    ).map { (row) throws(GatebookError) in try UnknownRows(row) }
  }

  private init(_ row: PostgresRow) throws(GatebookError) {
    guard let book: BookID = row.identity(0) else {
      throw GatebookError(
        .fleetMismatch, "A row of the fleet has no book.", remedy: "Report this as a bug.")
    }
    self.book = book
    branch = row.optionalInteger(1).map { Int($0) }
    isOfKnownBook = row.bool(2)
    first = row.optionalInteger(3).map(Position.init(rawValue:))
  }

  /// What is said of it where the book is known.
  var verdict: HistoryVerdict {
    var verdict = HistoryVerdict(book: book, branch: branch ?? 0, machine: nil, size: 0)
    verdict.isHistory = false
    verdict.firstBad = first
    verdict.problems = [
      "The fleet has rows of branch \(verdict.branch) of this book, but no such history: somebody added "
        + "them."
    ]
    return verdict
  }
}
