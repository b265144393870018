internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// An event of a fleet as its row has it: programs are numbers.
struct FleetRow {
  let place: EventPlace
  let event: EventID
  let account: AccountID?
  let revision: Int64
  let session: SessionID?
  let kind: String
  let version: Int64
  let at: Timestamp
  let cause: Position?
  let program: Int64
  let process: Int64
  /// Canonical JSON, if a book wrote it.
  let data: [UInt8]
  /// Whether it has encrypted facts, here or at home.
  let hasPersonal: Bool

  /// What is read of an event, in the order of ``init(_:)``.
  static let columns =
    """
    book, branch, position, id, account, revision, session, kind, version, at, cause, program, \
    process, data, sealed IS NOT NULL OR withheld
    """

  /// Reads a row of ``columns``; `nil` where an identity is missing.
  init?(_ row: PostgresRow) {
    guard let book: BookID = row.identity(0), let event: EventID = row.identity(3) else {
      return nil
    }
    place = EventPlace(
      book: book, branch: Int(row.integer(1)), position: Position(rawValue: row.integer(2)))
    self.event = event
    account = row.identity(4)
    revision = row.integer(5)
    session = row.identity(6)
    kind = row.text(7)
    version = row.integer(8)
    at = Timestamp(rawValue: row.integer(9))
    cause = row.optionalInteger(10).map(Position.init(rawValue:))
    program = row.integer(11)
    process = row.integer(12)
    data = row.bytes(13)
    hasPersonal = row.bool(14)
  }

  /// Whether it comes before another one among the events of many books: by time, then by book,
  /// then by position.
  func isBefore(_ other: FleetRow) -> Bool {
    if at != other.at { return at < other.at }
    if place.book != other.place.book { return place.book < other.place.book }
    return (place.branch, place.position) < (other.place.branch, other.place.position)
  }
}

/// Looks up events of a fleet by their places.
struct FleetEvents {
  private let connection: FleetConnection

  init(_ connection: FleetConnection) {
    self.connection = connection
  }

  /// The events at some places; those that the fleet does not have are left out.
  func at(_ places: [EventPlace]) throws(GatebookError) -> [EventPlace: FleetRow] {
    var found: [EventPlace: FleetRow] = [:]
    var rest = Array(Set(places))[...]
    while !rest.isEmpty {
      let part = rest.prefix(4096)
      rest = rest.dropFirst(4096)
      let answers = try connection.byKeys { () throws(GatebookError) in
        try connection.isSpread() ? try byHistories(part) : [try joined(part)]
      }
      for rows in answers {
        for number in 0..<rows.count {
          if let row = FleetRow(rows[number]) { found[row.place] = row }
        }
      }
    }
    return found
  }

  private func joined(_ places: ArraySlice<EventPlace>) throws(GatebookError) -> PostgresRows {
    try connection.run(
      """
      SELECT \(FleetRow.columns) FROM unnest($1::uuid[], $2::integer[], $3::bigint[])
        AS p (book, branch, position) JOIN gatebook.event USING (book, branch, position)
      """, .identities(places.map(\.book)), .integers(places.map { Int64($0.branch) }),
      .integers(places.map(\.position.rawValue)))
  }

  /// So many histories are asked for by one statement.
  private static let histories = 50

  /// Asks for each history by conditions of its own, which its server applies.
  ///
  /// A join would bring all events of all servers here.
  private func byHistories(
    _ places: ArraySlice<EventPlace>
  ) throws(GatebookError) -> [PostgresRows] {
    let histories = Dictionary(grouping: places) {
      EventPlace(book: $0.book, branch: $0.branch, position: .start)
    }
    var rest = Array(histories)[...]
    var answers: [PostgresRows] = []
    while !rest.isEmpty {
      var values = FleetConditions()
      let parts = rest.prefix(Self.histories).map { history, places in
        "SELECT \(FleetRow.columns) FROM gatebook.event "
          + "WHERE book = \(values.place(of: .identity(history.book))) "
          + "AND branch = \(values.place(of: .small(Int32(history.branch)))) "
          + "AND position = ANY(\(values.place(of: .integers(places.map(\.position.rawValue)))))"
      }
      rest = rest.dropFirst(Self.histories)
      answers.append(try connection.run(parts.joined(separator: " UNION ALL "), values))
    }
    return answers
  }

  /// Which events at some places have encrypted facts, of those that the fleet forgot and the state
  /// after them names; others are left out.
  func kept(_ places: [EventPlace]) throws(GatebookError) -> [EventPlace: Bool] {
    var found: [EventPlace: Bool] = [:]
    var rest = Array(Set(places))[...]
    while !rest.isEmpty {
      let part = rest.prefix(4096)
      rest = rest.dropFirst(4096)
      let rows = try connection.byKeys { () throws(GatebookError) in
        try connection.run(
          """
          SELECT book, branch, position, content
          FROM unnest($1::uuid[], $2::integer[], $3::bigint[]) AS p (book, branch, position)
          JOIN gatebook.past e USING (book, branch)
          WHERE e.part = 'start.opening_event' AND e.name = int8send(position)
          """, .identities(part.map(\.book)), .integers(part.map { Int64($0.branch) }),
          .integers(part.map(\.position.rawValue)))
      }
      for number in 0..<rows.count {
        let row = rows[number]
        let event = ShippedRow(part: "opening_event", name: [], content: row.bytes(3))
        guard let book: BookID = row.identity(0), let hasSealed = event.hasSealedFacts else {
          continue
        }
        found[
          EventPlace(
            book: book, branch: Int(row.integer(1)),
            position: Position(rawValue: row.integer(2)))] = hasSealed
      }
    }
    return found
  }
}
