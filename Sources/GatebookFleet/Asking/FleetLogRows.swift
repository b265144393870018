internal import Gatebook
internal import GatebookEvents

/// The rows of a question about events, page by page.
struct FleetLogRows {
  private let query: FleetLogQuery
  private let connection: FleetConnection
  private var source: Source
  /// How many more are wanted.
  private var rest: Int

  /// Where the rows come from.
  private enum Source {
    case none
    /// Along the positions of a history, after the last one that was read.
    case history(FleetBook, after: Position)
    /// Along the time, from the event on where the newest ones begin.
    case times(EventCursors, from: Start?)
  }

  /// The first event that counts, in the order of many histories.
  private struct Start {
    let at: Timestamp
    let place: EventPlace

    func isAfter(_ row: FleetRow) -> Bool {
      if row.at != at { return row.at < at }
      if row.place.book != place.book { return row.place.book < place.book }
      return (row.place.branch, row.place.position) < (place.branch, place.position)
    }
  }

  /// As many rows are read at once.
  static let pageSize = 1024

  /// Finds where to begin.
  ///
  /// - Throws: `fleet` failures.
  init(_ query: FleetLogQuery, _ connection: FleetConnection) throws(GatebookError) {
    self.query = query
    self.connection = connection
    rest = query.filter.limit ?? .max
    try connection.preferKeys()
    let isFromEnd = query.filter.after == nil && query.filter.limit != nil
    guard !query.kinds.isEmpty else {
      source = .none
      return
    }
    guard let book = query.selection.only else {
      var start: Start?
      if isFromEnd, let row = try query.start(ofLast: rest).ask(connection).first,
        let id: BookID = row.identity(1)
      {
        start = Start(
          at: Timestamp(rawValue: row.integer(0)),
          place: EventPlace(
            book: id, branch: Int(row.integer(2)), position: Position(rawValue: row.integer(3))))
      }
      source = .times(try EventCursors(query, from: start?.at, connection), from: start)
      return
    }
    var after = query.filter.after ?? Position(rawValue: .min)
    if isFromEnd, let first = try query.start(book, ofLast: rest).ask(connection).first {
      after = Position(rawValue: first.integer(0) - 1)
    }
    source = .history(book, after: after)
  }

  /// The next rows; none at the end.
  mutating func next() throws(GatebookError) -> [FleetRow] {
    guard rest > 0 else { return [] }
    let wanted = min(rest, Self.pageSize)
    var rows: [FleetRow] = []
    switch source {
    case .none: break
    case .history(let book, let after):
      let answer = try query.next(book, after: after, limit: wanted).ask(connection)
      for number in 0..<answer.count {
        if let row = FleetRow(answer[number]) { rows.append(row) }
      }
      if let last = rows.last { source = .history(book, after: last.place.position) }
    case .times(var cursors, let start):
      while rows.count < wanted, let row = try cursors.next(connection) {
        if start?.isAfter(row) != true { rows.append(row) }
      }
      source = .times(cursors, from: start)
    }
    rest -= rows.count
    return rows
  }
}

/// One cursor for each statement of a question; together they are read along the time.
private struct EventCursors {
  private struct Cursor {
    let name: String
    var rows: [FleetRow] = []
    var next = 0
    var isAtEnd = false
  }

  private var cursors: [Cursor] = []
  /// A few at first: of most kinds no more are needed.
  private static let fetched = 256

  init(
    _ query: FleetLogQuery, from start: Timestamp?, _ connection: FleetConnection
  ) throws(GatebookError) {
    for (number, question) in query.events(from: start).enumerated() {
      let name = "gatebook_times_\(number)"
      _ = try connection.run(
        "DECLARE \(name) NO SCROLL CURSOR FOR \(question.sql)", question.conditions)
      cursors.append(Cursor(name: name))
    }
  }

  /// The next row of all cursors.
  mutating func next(_ connection: FleetConnection) throws(GatebookError) -> FleetRow? {
    var first: Int?
    for index in cursors.indices {
      if cursors[index].next == cursors[index].rows.count, !cursors[index].isAtEnd {
        try fill(index, connection)
      }
      guard !cursors[index].isAtEnd else { continue }
      if let known = first, !row(index).isBefore(row(known)) { continue }
      first = index
    }
    guard let first else { return nil }
    defer { cursors[first].next += 1 }
    return row(first)
  }

  private func row(_ index: Int) -> FleetRow { cursors[index].rows[cursors[index].next] }

  private mutating func fill(
    _ index: Int, _ connection: FleetConnection
  ) throws(GatebookError) {
    let answer = try connection.run("FETCH \(Self.fetched) FROM \(cursors[index].name)")
    cursors[index].rows = try answer.map { FleetRow($0) }.compactMap(\.self)
    cursors[index].next = 0
    cursors[index].isAtEnd = cursors[index].rows.isEmpty
  }
}
