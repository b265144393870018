internal import GatebookEvents

/// Folds the log while stepping over it: no event is ever made into a value.
struct LogScan: BookTables {
  let connection: Connection

  /// Applies the events after a position, in order.
  ///
  /// - Parameters:
  ///   - fold: The fold so far.
  ///   - start: The last event that it has seen.
  ///   - end: The last event to apply; `nil` for all.
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - rollup: Sees each event after the fold, for the rows of the past.
  /// - Returns: The last position applied; `start` when there was none.
  /// - Throws: `storage` failures.
  func fold(
    into fold: inout BookFold, after start: Position, upTo end: Position? = nil,
    of account: AccountID? = nil, _ rollup: Rollup? = nil
  ) throws(GatebookError) -> Position {
    var names = ScannedNames(
      room: account == nil ? ScannedNames.ofLog : ScannedNames.ofStream)
    return try self.fold(
      into: &fold, after: start, upTo: end, of: account, knowing: &names, rollup)
  }

  /// Does the same for frequent scans, with names that are known already.
  func fold(
    into fold: inout BookFold, after start: Position, upTo end: Position?,
    of account: AccountID?, knowing names: inout ScannedNames, _ rollup: Rollup? = nil
  ) throws(GatebookError) -> Position {
    let limit = end?.rawValue ?? .max
    var last = start
    guard let account else {
      try connection.scan(Self.columns, Self.log, start, limit) { (row) throws(GatebookError) in
        last = try apply(row, to: &fold, &names, rollup)
        return true
      }
      return last
    }
    let statement = try connection.statement(
      Self.stream, start, limit, account, fold.state(of: account)?.revision ?? 0)
    defer { statement.reset() }
    while try statement.step() {
      // In a stream positions rise, but only revisions are in its index: SQLite would read to its
      // end.
      guard statement.integer(0) <= limit else { break }
      last = try apply(statement, to: &fold, &names, rollup)
    }
    return last
  }

  /// Applies the event in a row.
  ///
  /// - Returns: Its position.
  private func apply(
    _ row: some RowValues, to fold: inout BookFold, _ names: inout ScannedNames, _ rollup: Rollup?
  ) throws(GatebookError) -> Position {
    let position = Position(rawValue: row.integer(0))
    let (account, kind) = (row.integer(1), row.integer(4))
    let entry = LogEntry(
      position: position, account: try identity(account, in: &names.accounts, "account"),
      revision: row.integer(2),
      session: try identity(row.integer(3), in: &names.sessions, "session"),
      kind: try self.kind(kind, in: &names.kinds),
      at: Timestamp(rawValue: row.integer(5)), data: FactScanner(row.raw(6)))
    fold.apply(entry)
    try rollup?.take(entry, account: account, kind: kind, fold)
    return position
  }

  private static let columns = "position, account, revision, session, kind, at, data"

  // The order is that of the positions: there is no other way through the rows.
  private static let log = "event NOT INDEXED WHERE position > ?1 AND position <= ?2"

  // The index knows each event's position: the page of the one after the end is never read.
  private static let stream =
    """
    SELECT position, account, revision, iif(position <= ?2, session, NULL),
      iif(position <= ?2, kind, NULL), iif(position <= ?2, at, NULL), iif(position <= ?2, data, NULL)
    FROM event
    WHERE account = (SELECT number FROM account WHERE id = ?3) AND revision > ?4 AND position > ?1
    ORDER BY account, revision
    """

  /// The kind with a number; `nil` for one that this version does not know.
  private func kind(
    _ number: Int64, in known: inout RecentNames<EventKind?>
  ) throws(GatebookError) -> EventKind? {
    if let kind = known[number] { return kind }
    let kind = try kind(number)
    known[number] = .some(kind)
    return kind
  }

  // Apart, so that what a query needs is not prepared for every row of the scan.
  @inline(never)
  private func kind(_ number: Int64) throws(GatebookError) -> EventKind? {
    try connection.first("SELECT name FROM kind WHERE number = ?1", number) {
      EventKind(rawValue: $0.text(0))
    }
  }

  /// The identity with a dictionary number; 0 and `NULL` mean none.
  private func identity<ID: Identity>(
    _ number: Int64, in known: inout RecentNames<ID>, _ table: String
  ) throws(GatebookError) -> ID? {
    if number == 0 { return nil }
    guard let id = try known.identity(number, table, connection) else {
      throw .storageDamaged("The identity of an account is missing from the book.")
    }
    return id
  }
}

/// What the numbers in the log's rows stand for, as far as a scan has met them.
///
/// They never change, so frequent scans keep it.
struct ScannedNames {
  var kinds: RecentNames<EventKind?>
  var accounts: RecentNames<AccountID>
  var sessions: RecentNames<SessionID>

  /// Room for the names of the whole log.
  static let ofLog = 4096
  /// Room for those of one stream, which are few: to make room for thousands costs more than to
  /// read a hundred events.
  static let ofStream = 64

  /// Makes one that has met nothing.
  init(room: Int) {
    kinds = RecentNames(room)
    accounts = RecentNames(room)
    sessions = RecentNames(room)
  }
}
