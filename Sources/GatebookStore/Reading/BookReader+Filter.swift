public import GatebookEvents

extension BookReader {
  /// The events that match a filter, in the order of the book.
  public func events(_ filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    try check()
    guard filter.account == nil, filter.isSelective else { return try read(filter) }
    return try inSnapshot { () throws(GatebookError) in try search(filter) }
  }

  /// Reads only the parts of the log that may contain the events of a filter.
  private func search(_ filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    var search = try BlockSearch(self)
    if filter.kind != nil || filter.failedOnly { search.kinds = try kinds(of: filter) }
    if let since = filter.since { search.since = since.rawValue }
    if let until = filter.until { search.until = (until - .microseconds(1)).rawValue }
    var parts: [[RecordedEvent]] = []
    var rest = filter
    let size = try head().size
    try search.forEachSpan(
      after: filter.after?.rawValue ?? 0, upTo: min(size, filter.upTo?.rawValue ?? size),
      newestFirst: filter.isFromEnd
    ) { span throws(GatebookError) in
      let events = try read(rest, in: span)
      parts.append(events)
      rest.limit = rest.limit.map { $0 - events.count }
      return rest.limit != 0
    }
    return Array((filter.isFromEnd ? parts.reversed() : parts).joined())
  }

  /// The kinds that a filter lets through, as blocks have them.
  private func kinds(of filter: EventFilter) throws(GatebookError) -> Int64 {
    let conditions = filter.kindConditions(on: "number").joined(separator: " AND ")
    let statement = try connection.statement("SELECT number FROM kind WHERE \(conditions)")
    bind(filter, to: statement)
    defer { statement.reset() }
    var kinds: Int64 = 0
    while try statement.step() { kinds |= Block.bit(of: statement.integer(0)) }
    return kinds
  }

  private func read(
    _ filter: EventFilter, in span: BlockSearch.Span? = nil
  ) throws(GatebookError) -> [RecordedEvent] {
    var conditions = filter.kindConditions(on: "e.kind")
    if filter.account != nil {
      conditions.append("e.account = (SELECT number FROM account WHERE id = ?1)")
    }
    if filter.session != nil {
      conditions.append("e.session = (SELECT number FROM session WHERE id = ?2)")
    }
    if filter.since != nil { conditions.append("e.at >= ?4") }
    if filter.until != nil { conditions.append("e.at < ?5") }
    if filter.after != nil || span != nil { conditions.append("e.position > ?6") }
    if span != nil { conditions.append("e.position <= ?9") }
    if filter.upTo != nil { conditions.append("e.position <= ?10") }
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    let direction = filter.isFromEnd ? "DESC" : "ASC"
    // Within a stream both orders are the same, but only that of revisions is in its index.
    let order = filter.account == nil ? "e.position" : "e.revision"
    let statement = try connection.statement(
      "\(Self.columns) \(condition) ORDER BY \(order) \(direction) LIMIT ?7")
    bind(filter, to: statement)
    if let span {
      statement.bind(6, span.start)
      statement.bind(9, span.end)
    }
    defer { statement.reset() }
    var events: [RecordedEvent] = []
    while try statement.step() { events.append(try event(statement)) }
    return filter.isFromEnd ? events.reversed() : events
  }

  private func bind(_ filter: EventFilter, to statement: Statement) {
    if let account = filter.account { statement.bind(1, account.bytes) }
    if let session = filter.session { statement.bind(2, session.bytes) }
    if let kind = filter.kind {
      statement.bind(3, kind)
      // A kind cannot contain GLOB's own characters.
      let isFamily = kind.hasSuffix(".") && !kind.contains { "*?[".contains($0) }
      statement.bind(8, isFamily ? "\(kind)*" : "")
    }
    if let since = filter.since { statement.bind(4, since.rawValue) }
    if let until = filter.until { statement.bind(5, until.rawValue) }
    if let after = filter.after { statement.bind(6, after.rawValue) }
    if let end = filter.upTo { statement.bind(10, end.rawValue) }
    statement.bind(7, Int64(filter.limit ?? -1))
  }
}

extension EventFilter {
  /// Whether the events that it wants are known by their kinds and times.
  fileprivate var isSelective: Bool { kind != nil || failedOnly || since != nil || until != nil }

  /// Whether it wants the last events, and not those after a position.
  fileprivate var isFromEnd: Bool { after == nil && limit != nil }

  /// What it demands of the number of a kind.
  fileprivate func kindConditions(on column: String) -> [String] {
    var conditions: [String] = []
    if kind != nil {
      conditions.append("\(column) IN (SELECT number FROM kind WHERE name = ?3 OR name GLOB ?8)")
    }
    if failedOnly {
      conditions.append(
        """
        \(column) IN (SELECT number FROM kind WHERE name GLOB '*.failed'
          OR name IN (\(Self.failures)))
        """)
    }
    return conditions
  }

  /// The names of the kinds that a report marks as failures, for SQL.
  private static let failures = EventKind.allCases.filter { $0.traits.mark == .failure }
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

/// The conditions of a query; `nil` conditions do not count.
public struct EventFilter: Sendable {
  /// Only this account's stream.
  public var account: AccountID?
  /// Only this session or login attempt.
  public var session: SessionID?
  /// Only this kind, or with a dot at the end all kinds of a family, such as `login.`.
  public var kind: String?
  /// Only from this moment on.
  public var since: Timestamp?
  /// Only before this moment.
  public var until: Timestamp?
  /// Only what failed: kinds ending in `failed`, refused sessions, deferred renewals, checks
  /// without a word that decides.
  public var failedOnly = false
  /// Only after this position.
  public var after: Position?
  /// Only up to this position.
  package var upTo: Position?
  /// How many at most: with `after` the first ones after that position, else the last ones.
  public var limit: Int?

  /// Makes a filter; without conditions it lets everything through.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream.
  ///   - session: Only this session or login attempt.
  ///   - kind: Only this kind, or with a dot at the end all kinds of a family, such as `login.`.
  ///   - since: Only from this moment on.
  ///   - until: Only before this moment.
  ///   - failedOnly: Only what failed.
  ///   - after: Only after this position.
  ///   - limit: How many at most: with `after` the first ones after that position, else the last
  ///     ones.
  public init(
    account: AccountID? = nil, session: SessionID? = nil, kind: String? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, failedOnly: Bool = false,
    after: Position? = nil, limit: Int? = nil
  ) {
    self.account = account
    self.session = session
    self.kind = kind
    self.since = since
    self.until = until
    self.failedOnly = failedOnly
    self.after = after
    self.limit = limit
  }
}
