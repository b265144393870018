internal import GatebookEvents

/// Puts the rows that a damaged file still has into the tables of a new book.
///
/// Only its form tells which table a row belongs to: if a page of the schema or the root of a table
/// is lost, the rows of the others are still found. An event's leaf tells whether it is unchanged.
struct SalvagedRows {
  private let connection: Connection
  private let pages: RawPages

  init(_ pages: RawPages, into connection: Connection) {
    self.pages = pages
    self.connection = connection
  }

  /// Takes everything; events are in the temporary table `found` then.
  func take() throws(GatebookError) {
    // Without its indexes: which of them are right is not known yet.
    try connection.execute(
      """
      CREATE TEMP TABLE found (
        position INTEGER PRIMARY KEY, id, account, revision, session, kind, version, at, cause,
        writer, process, data, sealed, leaf);
      BEGIN
      """)
    var page: Int64 = 1
    while page <= pages.count {
      try BookRecovery.refuseCancelled()
      for row in pages.rows(of: page) { put(row) }
      page += 1
    }
    try connection.execute("COMMIT")
  }

  /// A row that does not fit its table, or is there already, is left out.
  private func put(_ row: RawRow) {
    guard let (table, values) = Self.place(of: row) else { return }
    do throws(GatebookError) {
      let insert = try connection.statement(Self.insertion(table, values.count))
      for (index, value) in values.enumerated() { insert.bind(Int32(index + 1), value) }
      try insert.run()
    } catch {}
  }

  private static func insertion(_ table: String, _ count: Int) -> String {
    // Nearly all rows are events.
    guard table != events else { return eventInsertion }
    let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT OR IGNORE INTO \(table) VALUES (\(places))"
  }

  private static let events = "temp.found"
  private static let eventInsertion =
    "INSERT OR IGNORE INTO temp.found VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
    + "?13, ?14)"

  private static func place(of row: RawRow) -> (table: String, values: [RawRow.Value])? {
    guard let number = row.number else {
      return table(ofEntry: row.values).map { ($0.table, $0.values) }
    }
    guard case .null? = row.values.first else { return nil }
    let rest = Array(row.values.dropFirst())
    guard let table = table(of: rest, number) else { return nil }
    return (table, [.integer(number)] + rest)
  }

  /// The table of a row with a number, by what follows that.
  private static func table(of values: [RawRow.Value], _ number: Int64) -> String? {
    switch values.count {
    case 0: "unwiped"
    case 1: tableOfPair(values[0])
    case 2:
      if values[0].hasBytes(16), values[1].isNull || values[1].bytes != nil {
        "account"
      } else if values[0].integer != nil, values[1].text?.first == UInt8(ascii: "{") {
        "session_state"
      } else {
        nil
      }
    case 3: values[2].hasBytes(16) && values[0].text != nil ? "writer" : nil
    case 4: values[1].hasBytes(32) && values[2].bytes != nil ? "head" : nil
    case 5: values[0].hasBytes(16) && values[4].hasBytes(32) ? "book" : nil
    case 8: values[2].hasBytes(32) && values[5].hasBytes(32) ? "opening" : nil
    case 13:
      (1...BookRecovery.maximum).contains(number)
        && (values[2].integer ?? 0) <= BookRecovery.maximum
        && values[0].hasBytes(16) && values[12].hasBytes(32) ? events : nil
    default: nil
    }
  }

  private static func tableOfPair(_ value: RawRow.Value) -> String? {
    if value.hasBytes(16) { return "session" }
    if value.integer != nil { return "lost" }
    guard let text = value.text else { return nil }
    guard text.first == UInt8(ascii: "{") else { return "kind" }
    let isRoster = text.count == 2 || text.starts(with: #"{"current":"#.utf8)
    return isRoster ? "roster" : "account_state"
  }

  /// The table of an entry without a number: the whole row of some tables, or of an index that says
  /// the same as its table.
  private static func table(
    ofEntry values: [RawRow.Value]
  ) -> (table: String, values: [RawRow.Value])? {
    switch values.count {
    case 2:
      if values[0].hasBytes(32), values[1].integer != nil { return ("account_lookup", values) }
      guard values[0].text?.contains(UInt8(ascii: ".")) == true, values[1].integer != nil else {
        return nil
      }
      return ("kind", [values[1], values[0]])
    case 3:
      if values[0].integer != nil, values[2].hasBytes(32) { return ("subtree", values) }
      return values[0].text != nil && values[1].bytes != nil && values[2].text != nil
        ? ("opening_row", values) : nil
    case 4:
      if values[1].text != nil, values[3].bytes != nil { return ("vault", values) }
      if values[0].hasBytes(16), values[3].bytes != nil { return ("attempt", values) }
      guard values[2].hasBytes(16), values[0].text != nil, values[3].integer != nil else {
        return nil
      }
      return ("writer", [values[3], values[0], values[1], values[2]])
    case 6 where values[0].hasBytes(16) && values[1].text != nil && values[3].bytes != nil:
      return ("copy", values)
    default: return nil
    }
  }
}

extension RawRow.Value: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    switch self {
    case .null: statement.bindNull(index)
    case .integer(let integer): statement.bind(index, integer)
    case .text(let text): statement.bind(index, UTF8Text(text))
    case .bytes(let bytes): statement.bind(index, bytes)
    }
  }
}
