internal import Gatebook
internal import GatebookEvents

/// The statements of a question about events.
///
/// One history is read along its positions: by the key of its part. Several are read kind by kind
/// along the time: by the index of kinds and times. Only for accounts of a few histories all of
/// these are read, again by the keys.
struct FleetLogQuery {
  let selection: FleetSelection
  let filter: FleetLogFilter
  /// The kinds that are wanted, of those that the histories have.
  let kinds: [String]

  /// Whether the events of some accounts are found by reading whole histories.
  let readsHistories: Bool

  /// Histories with so many events are read whole to find those of a few accounts.
  static let mostEvents: Int64 = 200_000

  /// Finds the kinds.
  ///
  /// - Parameters:
  ///   - selection: Which histories and accounts.
  ///   - filter: Which events.
  ///   - connection: The fleet.
  ///   - mostEvents: Histories with more events are not read whole.
  /// - Throws: `configuration.invalid` for a position among several histories, and for a kind that
  ///   nobody knows; `fleet` failures.
  init(
    _ selection: FleetSelection, _ filter: FleetLogFilter, _ connection: FleetConnection,
    readingAtMost mostEvents: Int64 = FleetLogQuery.mostEvents
  ) throws(GatebookError) {
    guard filter.after == nil || selection.only != nil else { throw Self.manyHistories(selection) }
    self.selection = selection
    self.filter = filter
    readsHistories =
      selection.accounts != nil && selection.books.reduce(0) { $0 + $1.size } <= mostEvents
    let known = try Self.kinds(of: selection, connection)
    kinds = known.filter(filter.wants)
    for kind in filter.kinds where !Self.isKnown(kind, known) {
      guard selection.missing.isEmpty else {
        throw .missing(selection.missing, kept: "The other servers have no events `\(kind)`.")
      }
      throw Self.unknown(kind)
    }
  }

  private static func unknown(_ kind: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "`\(kind)` is not a kind of event, and no book has such events.",
      remedy: "`FleetReader.tally()` has the kinds of events that there are."
    ).with(\.setting, "kind")
  }

  /// The kinds that the histories have, in ascending order.
  static func kinds(
    of selection: FleetSelection, _ connection: FleetConnection
  ) throws(GatebookError) -> [String] {
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    return try connection.run(
      "SELECT DISTINCT kind FROM gatebook.total \(conditions.clause) ORDER BY kind", conditions
    ).map { $0.text(0) }
  }

  private static func isKnown(_ kind: String, _ known: [String]) -> Bool {
    (known + EventKind.allCases.map(\.rawValue)).contains {
      kind.hasSuffix(".") ? $0.hasPrefix(kind) : $0 == kind
    }
  }

  private static func manyHistories(_ selection: FleetSelection) -> GatebookError {
    let names = selection.books.prefix(5).map { "\($0.id) (branch \($0.branch))" }
    return GatebookError(
      .configurationInvalid, "Positions are those of one history of a book.",
      remedy:
        "Name one with `FleetScope.book` and `FleetScope.branch`, such as \(names.joined(separator: ", "))."
    ).with(\.setting, "book")
  }

  // MARK: One history

  /// The next events of the only history after a position, in its order.
  func next(_ book: FleetBook, after position: Position, limit: Int) -> Question {
    var conditions = conditions(of: book)
    conditions.add("position > ?", .integer(position.rawValue))
    return Question(
      "SELECT \(FleetRow.columns) FROM gatebook.event \(conditions.clause) ORDER BY position "
        + "LIMIT \(conditions.place(of: .integer(Int64(limit))))", conditions)
  }

  /// The position where so many of the newest events of the only history begin.
  func start(_ book: FleetBook, ofLast count: Int) -> Question {
    var conditions = conditions(of: book)
    return Question(
      "SELECT position FROM gatebook.event \(conditions.clause) ORDER BY position DESC "
        + "OFFSET \(conditions.place(of: .integer(Int64(count - 1)))) LIMIT 1", conditions)
  }

  private func conditions(of book: FleetBook) -> FleetConditions {
    var conditions = FleetConditions()
    conditions.add("book = ?", .identity(book.id))
    conditions.add("branch = ?", .small(Int32(book.branch)))
    addFilter(&conditions)
    if filter.choosesKinds { conditions.add("kind = ANY(?)", .texts(kinds)) }
    return conditions
  }

  private func addFilter(_ conditions: inout FleetConditions) {
    conditions.add(since: filter.since, until: filter.until)
    selection.accounts?.restrict(&conditions)
  }

  // MARK: Many histories

  /// The order of many histories' events, and the reverse.
  private static let order = "at, book, branch, position"
  private static let reverse = "at DESC, book DESC, branch DESC, position DESC"

  /// Where the newest events of all kinds begin, so many of them.
  func start(ofLast count: Int) -> Question {
    var conditions = FleetConditions()
    if !readsHistories { conditions.add("kind = k.kind") }
    addFilter(&conditions)
    selection.restrict(&conditions)
    guard !readsHistories else {
      if filter.choosesKinds { conditions.add("kind = ANY(?)", .texts(kinds)) }
      return Question(
        "SELECT at, book, branch, position FROM gatebook.event \(conditions.clause) "
          + "ORDER BY \(Self.reverse) "
          + "OFFSET \(conditions.place(of: .integer(Int64(count - 1)))) LIMIT 1", conditions)
    }
    let clause = conditions.clause
    let limit = conditions.place(of: .integer(Int64(count)))
    return Question(
      """
      SELECT e.at, e.book, e.branch, e.position
      FROM unnest(\(conditions.place(of: .texts(kinds)))) AS k (kind) CROSS JOIN LATERAL (
        SELECT at, book, branch, position FROM gatebook.event \(clause)
        ORDER BY \(Self.reverse) LIMIT \(limit)) e
      ORDER BY \(Self.reverse) OFFSET \(limit) - 1 LIMIT 1
      """, conditions)
  }

  /// Statements whose rows together are all events from a moment on.
  func events(from start: Timestamp?) -> [Question] {
    readsHistories
      ? [events(of: nil, from: start)] : kinds.map { events(of: $0, from: start) }
  }

  /// The events of one kind from a moment on, in their order; `nil`: of all kinds that are wanted.
  func events(of kind: String?, from start: Timestamp?) -> Question {
    var conditions = FleetConditions()
    if let kind {
      conditions.add("kind = ?", .text(kind))
    } else if filter.choosesKinds {
      conditions.add("kind = ANY(?)", .texts(kinds))
    }
    addFilter(&conditions)
    if let start { conditions.add("at >= ?", .integer(start.rawValue)) }
    selection.restrict(&conditions)
    return Question(
      "SELECT \(FleetRow.columns) FROM gatebook.event \(conditions.clause) ORDER BY \(Self.order)",
      conditions)
  }

  /// A statement with its values.
  struct Question {
    let sql: String
    let conditions: FleetConditions

    init(_ sql: String, _ conditions: FleetConditions) {
      self.sql = sql
      self.conditions = conditions
    }

    /// Asks it.
    func ask(_ connection: FleetConnection) throws(GatebookError) -> PostgresRows {
      try connection.run(sql, conditions)
    }
  }
}
