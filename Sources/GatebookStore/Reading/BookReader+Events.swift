public import GatebookEvents

extension BookReader {
  static func columns(of table: String = "event") -> String {
    """
    SELECT e.position, e.id, a.id, e.revision, s.id, k.name, e.version, e.at, e.cause,
      w.program, w.version, w.installation, e.process, e.data, e.sealed, a.key
    FROM \(table) e JOIN kind k ON k.number = e.kind JOIN writer w ON w.number = e.writer
      LEFT JOIN account a ON a.number = e.account LEFT JOIN session s ON s.number = e.session
    """
  }

  /// The event at a position; `nil` if there is none, or if it is archived or lost
  /// (``continuation()``).
  public func event(at position: Position) throws(GatebookError) -> RecordedEvent? {
    try check()
    return try lookUp(position) { (table) throws(GatebookError) in
      try connection.first(
        "\(Self.columns(of: table)) WHERE e.position = ?1", position
      ) { (row) throws(GatebookError) in try Self.event(row, sealer) }
    }
  }

  /// The events of an account that are stored beside the state that the book continues, after a
  /// position, in their order.
  package func eventsBesideState(
    of account: AccountID, after position: Position
  ) throws(GatebookError) -> [RecordedEvent] {
    try check()
    guard let baseline = try Baseline.read(connection), position.rawValue < baseline.floor,
      let number = try connection.number(of: account)
    else { return [] }
    return try connection.all(
      """
      \(Self.columns(of: "opening_event")) WHERE e.position > ?1 AND e.account = ?2
      ORDER BY e.position
      """, position, number
    ) { (row) throws(GatebookError) in try Self.event(row, sealer) }
  }

  /// Looks at a position in the log, and then among the events that are stored beside the baseline.
  func lookUp<Found>(
    _ position: Position, _ look: (String) throws(GatebookError) -> Found?
  ) throws(GatebookError) -> Found? {
    if let found = try look("event") { return found }
    guard let baseline = try Baseline.read(connection), position.rawValue <= baseline.floor else {
      return nil
    }
    return try look("opening_event")
  }

  /// The last position before the first event that is later than a moment: "as of" that moment.
  ///
  /// - Parameter moment: The moment.
  /// - Returns: The position.
  /// - Throws: `configuration.invalid` for a moment before the events of this book; `storage`
  ///   failures.
  public func position(asOf moment: Timestamp) throws(GatebookError) -> Position {
    try inSnapshot { () throws(GatebookError) in
      let size = try head().size
      var search = try BlockSearch(self)
      search.since = (moment + .microseconds(1)).rawValue
      var later: Int64?
      try search.forEachSpan(after: 0, upTo: size) { span throws(GatebookError) in
        later = try firstEvent(laterThan: moment, in: span)
        return later == nil
      }
      let found = later.map { $0 - 1 } ?? size
      if let baseline = try Baseline.read(connection), baseline.first > 1, found <= baseline.floor,
        moment.rawValue < baseline.latest
      {
        throw archived(before: baseline)
      }
      return Position(rawValue: found)
    }
  }

  private func firstEvent(
    laterThan moment: Timestamp, in span: BlockSearch.Span
  ) throws(GatebookError) -> Int64? {
    try connection.first(
      """
      SELECT position FROM event WHERE position > ?1 AND position <= ?2 AND at > ?3
      ORDER BY position LIMIT 1
      """, span.start, span.end, moment
    ) { $0.integer(0) }
  }

  /// The event in a row of ``columns``.
  static func event(
    _ statement: Statement, _ sealer: Sealer?
  ) throws(GatebookError) -> RecordedEvent {
    let position = statement.integer(0)
    guard let id = EventID(bytes: statement.raw(1)), let data = Facts(decoding: statement.raw(13)),
      let program = statement.program(at: 9)
    else { throw .storageDamaged("The event at position \(position) cannot be read.") }
    let account = AccountID(bytes: statement.raw(2))
    let kind = statement.text(5)
    let version = statement.integer(6)
    return RecordedEvent(
      position: Position(rawValue: position), id: id, account: account,
      revision: statement.integer(3), session: SessionID(bytes: statement.raw(4)), kind: kind,
      version: Int(version), at: Timestamp(rawValue: statement.integer(7)),
      cause: statement.optionalInteger(8).map(Position.init(rawValue:)),
      writer: Writer(program: program, process: statement.integer(12)), data: data,
      personal: try personal(
        statement, 14, account, sealer, .event(id, kind: kind, version: version)))
  }
}
