public import GatebookEvents

extension BookReader {
  private static var columns: String {
    """
    SELECT e.position, e.id, a.id, e.revision, s.id, k.name, e.version, e.at, e.cause,
      w.program, w.version, w.installation, e.process, e.data, e.sealed, a.key
    FROM event e JOIN kind k ON k.number = e.kind JOIN writer w ON w.number = e.writer
      LEFT JOIN account a ON a.number = e.account LEFT JOIN session s ON s.number = e.session
    """
  }

  /// The event at a position; `nil` when the book is shorter.
  public func event(at position: Position) throws(GatebookError) -> RecordedEvent? {
    try check()
    let statement = try connection.statement("\(Self.columns) WHERE e.position = ?1")
    statement.bind(1, position.rawValue)
    defer { statement.reset() }
    return try statement.step() ? try event(statement) : nil
  }

  /// The events that a filter lets through, in the order of the book.
  public func events(_ filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    try check()
    var conditions: [String] = []
    if filter.account != nil {
      conditions.append("e.account = (SELECT number FROM account WHERE id = ?1)")
    }
    if filter.session != nil {
      conditions.append("e.session = (SELECT number FROM session WHERE id = ?2)")
    }
    if filter.kind != nil {
      conditions.append("e.kind IN (SELECT number FROM kind WHERE name = ?3 OR name GLOB ?8)")
    }
    if filter.since != nil { conditions.append("e.at >= ?4") }
    if filter.until != nil { conditions.append("e.at < ?5") }
    if filter.after != nil { conditions.append("e.position > ?6") }
    if filter.failedOnly {
      conditions.append(
        """
        e.kind IN (SELECT number FROM kind WHERE name GLOB '*.failed'
          OR name IN ('session.ended', 'session.uncertain', 'refresh.deferred'))
        """)
    }
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    let direction = filter.after == nil && filter.limit != nil ? "DESC" : "ASC"
    // Within a stream both orders are the same, but only that of revisions is in its index.
    let order = filter.account == nil ? "e.position" : "e.revision"
    let statement = try connection.statement(
      "\(Self.columns) \(condition) ORDER BY \(order) \(direction) LIMIT ?7")
    bind(filter, to: statement)
    defer { statement.reset() }
    var events: [RecordedEvent] = []
    while try statement.step() { events.append(try event(statement)) }
    return direction == "DESC" ? events.reversed() : events
  }

  private func bind(_ filter: EventFilter, to statement: Statement) {
    if let account = filter.account { statement.bind(1, account.bytes) }
    if let session = filter.session { statement.bind(2, session.bytes) }
    if let kind = filter.kind {
      statement.bind(3, kind)
      // GLOB's own characters cannot stand in a kind.
      let isFamily = kind.hasSuffix(".") && !kind.contains { "*?[".contains($0) }
      statement.bind(8, isFamily ? "\(kind)*" : "")
    }
    if let since = filter.since { statement.bind(4, since.rawValue) }
    if let until = filter.until { statement.bind(5, until.rawValue) }
    if let after = filter.after { statement.bind(6, after.rawValue) }
    statement.bind(7, Int64(filter.limit ?? -1))
  }

  /// The last position before the first event that is later than a moment: "as of" that moment.
  public func position(asOf moment: Timestamp) throws(GatebookError) -> Position {
    try check()
    let statement = try connection.statement(
      """
      SELECT coalesce((SELECT position - 1 FROM event WHERE at > ?1 ORDER BY position LIMIT 1),
        (SELECT size FROM head))
      """)
    statement.bind(1, moment.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { return .start }
    return Position(rawValue: statement.integer(0))
  }

  private func event(_ statement: Statement) throws(GatebookError) -> RecordedEvent {
    let position = statement.integer(0)
    guard let id = EventID(bytes: statement.raw(1)), let data = Facts(decoding: statement.raw(13)),
      let installation = InstallationID(bytes: statement.raw(11))
    else { throw .storageDamaged("The event at position \(position) cannot be read.") }
    let account = AccountID(bytes: statement.raw(2))
    let kind = statement.text(5)
    let version = statement.integer(6)
    let program = Program(
      name: statement.text(9), version: statement.text(10), installation: installation)
    return RecordedEvent(
      position: Position(rawValue: position), id: id, account: account,
      revision: statement.integer(3), session: SessionID(bytes: statement.raw(4)), kind: kind,
      version: Int(version), at: Timestamp(rawValue: statement.integer(7)),
      cause: statement.optionalInteger(8).map(Position.init(rawValue:)),
      writer: Writer(program: program, process: statement.integer(12)), data: data,
      personal: try personal(statement, position, account, .event(id, kind: kind, version: version))
    )
  }

  private func personal(
    _ statement: Statement, _ position: Int64, _ account: AccountID?, _ binding: Sealer.Binding
  ) throws(GatebookError) -> Personal<Facts>? {
    guard !statement.isNull(14), let account else { return nil }
    guard !statement.isNull(15) else { return .forgotten }
    guard let sealer else { return .sealed }
    try sealer.unwrap(statement.bytes(15), of: account)
    guard let content = sealer.open(statement.bytes(14), of: account, binding),
      let facts = Facts(decoding: content)
    else { throw .storageDamaged("The sealed facts at position \(position) were changed.") }
    return .known(facts)
  }
}
