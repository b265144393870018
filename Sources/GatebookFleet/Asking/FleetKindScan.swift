internal import Gatebook
internal import GatebookEvents

/// Steps over the events of some kinds of many books, history by history, in the order of each.
struct FleetKindScan {
  private let selection: FleetSelection
  private let connection: FleetConnection

  /// The columns of a row.
  static let book: Int32 = 0
  static let branch: Int32 = 1
  static let position: Int32 = 2
  static let account: Int32 = 3
  static let session: Int32 = 4
  static let kind: Int32 = 5
  static let at: Int32 = 6
  static let data: Int32 = 7
  private static let columns = "book, branch, position, account, session, kind, at, data"

  private static let fetched = 2048

  init(_ selection: FleetSelection, _ connection: FleetConnection) {
    self.selection = selection
    self.connection = connection
  }

  /// Steps over them.
  ///
  /// - Parameters:
  ///   - kinds: The kinds.
  ///   - books: Only these books; `nil` for all of the selection.
  ///   - since: Only from this moment on.
  ///   - until: Only before this moment.
  ///   - body: Sees each row.
  /// - Throws: What `body` throws; `fleet` failures.
  func scan(
    _ kinds: [String], in books: Set<BookID>? = nil, since: Timestamp?, until: Timestamp?,
    _ body: (PostgresRow) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    var conditions = FleetConditions()
    conditions.add("kind = ANY(?)", .texts(kinds.sorted()))
    conditions.add(since: since, until: until)
    if let books { conditions.add("book = ANY(?)", .identities(books.sorted())) }
    selection.accounts?.restrict(&conditions)
    selection.restrict(&conditions)
    try connection.byKeys { () throws(GatebookError) in
      _ = try connection.run(
        """
        DECLARE gatebook_scan NO SCROLL CURSOR FOR SELECT \(Self.columns) FROM gatebook.event
        \(conditions.clause) ORDER BY book, branch, position
        """, conditions)
    }
    while true {
      let rows = try connection.run("FETCH \(Self.fetched) FROM gatebook_scan")
      for number in 0..<rows.count { try body(rows[number]) }
      if rows.count < Self.fetched { break }
    }
    try connection.run("CLOSE gatebook_scan")
  }
}
