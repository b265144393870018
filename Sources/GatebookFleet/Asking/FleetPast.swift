internal import Gatebook
internal import GatebookEvents

/// Folds the events of one history up to a time in the past.
struct FleetPast {
  private let selection: FleetSelection
  private let book: FleetBook
  private let connection: FleetConnection

  init(_ selection: FleetSelection, _ book: FleetBook, _ connection: FleetConnection) {
    self.selection = selection
    self.book = book
    self.connection = connection
  }

  static func invalid(_ message: String, _ remedy: String) -> GatebookError {
    GatebookError(.configurationInvalid, message, remedy: remedy).with(\.setting, "as-of")
  }

  /// The last event that counts, and the moment that it stands for.
  func end(_ asOf: FleetAsOf) throws(GatebookError) -> (position: Position, moment: Timestamp) {
    switch asOf {
    case .position(let position):
      let place = selection.place(of: position, in: book)
      guard let event = try FleetEvents(connection).at([place])[place] else {
        if let first = parts.first?.branch, position <= first.forgotten { throw Self.forgotten }
        throw Self.invalid(
          "The fleet has no event at position \(position) of this book.",
          "The last one is at position \(book.size).")
      }
      return (position, event.at)
    case .moment(let moment):
      for part in parts {
        var conditions = conditions(of: part)
        conditions.add("at > ?", .integer(moment.rawValue))
        let rows = try connection.byKeys { () throws(GatebookError) in
          try connection.run(
            "SELECT position FROM gatebook.event \(conditions.clause) ORDER BY position LIMIT 1",
            conditions)
        }
        if let later = rows.first {
          let last = Position(rawValue: later.integer(0) - 1)
          try refuse(moment, after: last, of: part.branch)
          return (last, moment)
        }
      }
      if let first = parts.first?.branch {
        try refuse(moment, after: .init(rawValue: book.size), of: first)
      }
      return (Position(rawValue: book.size), moment)
    }
  }

  /// The states after an event.
  func fold(upTo end: Position) throws(GatebookError) -> BookFold {
    var (fold, start) = try beginning(before: end)
    for part in parts where part.end > start {
      var last = start
      while let next = try apply(part, after: last, upTo: end, to: &fold) { last = next }
      start = max(start, min(part.end, end))
    }
    return fold
  }

  // MARK: The parts of a history

  /// A stretch of the history that one branch has.
  private struct Part {
    let branch: FleetBook
    let end: Position
  }

  /// The branches that it goes through, the first one first.
  private var parts: [Part] {
    var parts = [Part(branch: book, end: Position(rawValue: book.size))]
    var home = book
    while home.continuesParent, let number = home.parent,
      let parent = selection.book(home.id, number), parent.branch < home.branch
    {
      parts.append(Part(branch: parent, end: min(home.base, parts.last?.end ?? home.base)))
      home = parent
    }
    return parts.reversed()
  }

  private func conditions(of part: Part) -> FleetConditions {
    var conditions = FleetConditions()
    conditions.add("book = ?", .identity(part.branch.id))
    conditions.add("branch = ?", .small(Int32(part.branch.branch)))
    conditions.add("position <= ?", .integer(part.end.rawValue))
    return conditions
  }

  /// The newest state that the fleet has of the past, if it is not later than an event.
  private func beginning(before end: Position) throws(GatebookError) -> (BookFold, Position) {
    guard let first = parts.first?.branch else { return (BookFold(), .start) }
    let known = parts.last { part in
      part.branch.floor > max(part.branch.forgotten, first.forgotten) && part.branch.floor <= end
    }?.branch
    guard known != nil || first.forgotten <= end else { throw Self.forgotten }
    guard let from = known ?? (first.forgotten > .start ? first : nil) else {
      guard first.first.rawValue <= 1 else { throw Self.archived }
      return (BookFold(), .start)
    }
    let rows = try PastRows.read(
      of: from.id, from.branch, known == nil ? .start : .book, connection)
    var fold = BookFold()
    for row in rows where ["account", "session", "roster"].contains(row.part) {
      guard Self.put(row.part, row.name, row.content, into: &fold) else {
        throw GatebookError(
          .fleetMismatch, "The state that this book begins with cannot be read.",
          kept: "The fleet was not changed.", remedy: "Check it with `FleetVerifier`.")
      }
    }
    return (fold, known?.floor ?? first.forgotten)
  }

  /// Refuses a moment that lies before one of the events that are not there: those that were later
  /// cannot be told from earlier ones.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - last: The last event that counts.
  ///   - branch: The branch that the next one belongs to.
  /// - Throws: `configuration.invalid`.
  private func refuse(
    _ moment: Timestamp, after last: Position, of branch: FleetBook
  ) throws(GatebookError) {
    let isForgotten = branch.forgotten > .start
    guard branch.first.rawValue > 1, last <= (isForgotten ? branch.forgotten : branch.floor),
      try moment < latest(beforeStartOf: branch)
    else { return }
    throw isForgotten ? Self.forgotten : Self.archived
  }

  /// The latest time of the events before the one that a branch begins with.
  private func latest(beforeStartOf branch: FleetBook) throws(GatebookError) -> Timestamp {
    let rows = try PastRows.read(
      of: branch.id, branch.branch, branch.forgotten > .start ? .start : .book, connection)
    let row = rows.first { $0.part == "opening" }
    let facts = row.flatMap { row in row.content.withUnsafeBytes { Facts(decoding: $0) } }
    return Timestamp(rawValue: facts?["latest"]?.integer ?? .max)
  }

  private static let archived = invalid(
    "The fleet does not have the events of that time: they are in an archive that was not shipped.",
    "Choose a later time, or ask the archive itself with `gatebook sessions`.")

  private static let forgotten = invalid(
    "The fleet forgot the events of that time.", "Choose a later time or position.")

  private static func put(
    _ part: String, _ name: [UInt8], _ content: [UInt8], into fold: inout BookFold
  ) -> Bool {
    content.withUnsafeBytes { raw in
      switch part {
      case "account":
        guard let id = AccountID(bytes: name), let state = AccountState(decoding: raw) else {
          return false
        }
        fold.put(state, of: id)
      case "session":
        guard let id = SessionID(bytes: name), let record = SessionRecord(decoding: raw) else {
          return false
        }
        fold.put(record, of: id)
      default:
        guard let roster = Roster(decoding: raw) else { return false }
        fold.put(roster)
      }
      return true
    }
  }

  // MARK: Events

  private static let pageSize: Int64 = 4096

  /// Applies the next events of a part.
  ///
  /// - Returns: The last one; `nil` for none.
  private func apply(
    _ part: Part, after start: Position, upTo end: Position, to fold: inout BookFold
  ) throws(GatebookError) -> Position? {
    var conditions = conditions(of: part)
    conditions.add("position > ?", .integer(start.rawValue))
    conditions.add("position <= ?", .integer(end.rawValue))
    let limit = conditions.place(of: .integer(Self.pageSize))
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        """
        SELECT position, account, revision, session, kind, at, data FROM gatebook.event
        \(conditions.clause) ORDER BY position LIMIT \(limit)
        """, conditions)
    }
    var last: Position?
    for number in 0..<rows.count {
      let row = rows[number]
      let position = Position(rawValue: row.integer(0))
      row.bytes(6).withUnsafeBytes { data in
        fold.apply(
          LogEntry(
            position: position, account: row.identity(1), revision: row.integer(2),
            session: row.identity(3), kind: EventKind(rawValue: row.text(4)),
            at: Timestamp(rawValue: row.integer(5)), data: FactScanner(data)))
      }
      last = position
    }
    return last
  }
}
