public import GatebookEvents
internal import GatebookSystem

extension BookReader {
  /// The events that match a filter, in the order of the book.
  public func events(_ filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    try check()
    guard filter.isSelective else { return try read(filter) }
    return try inSnapshot { () throws(GatebookError) in try search(filter) }
  }

  /// The last events of one kind, in the order of the book.
  package func last(
    _ kind: EventKind, atMost limit: Int = 1, of account: AccountID? = nil,
    in session: SessionID? = nil, upTo end: Position? = nil
  ) throws(GatebookError) -> [RecordedEvent] {
    var filter = EventFilter(account: account, session: session, kind: kind.rawValue, limit: limit)
    filter.upTo = end
    return try events(filter)
  }

  /// Reads only the parts of the log that may contain the events of a filter.
  ///
  /// An account's events are looked for in these parts only until as many events were passed as its
  /// stream has: the rest is then read from the stream.
  private func search(_ filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    var search = try BlockSearch(self)
    if filter.kind != nil || filter.failedOnly { search.kinds = try kinds(of: filter) }
    if let since = filter.since { search.since = since.rawValue }
    if let until = filter.until { search.until = (until - .microseconds(1)).rawValue }
    var parts: [[RecordedEvent]] = []
    var rest = filter
    var patience =
      try filter.account.map { (account) throws(GatebookError) in
        try streamLength(of: account)
      } ?? .max
    let size = try head().size
    try search.forEachSpan(
      after: filter.after?.rawValue ?? 0, upTo: min(size, filter.upTo?.rawValue ?? size),
      newestFirst: filter.isFromEnd
    ) { span throws(GatebookError) in
      patience -= span.end - span.start
      guard patience >= 0 else {
        // What was not looked at yet.
        if filter.isFromEnd { rest.upTo = Position(rawValue: span.end) }
        if !filter.isFromEnd { rest.after = Position(rawValue: span.start) }
        parts.append(try read(rest))
        return false
      }
      let events = try read(rest, in: span)
      parts.append(events)
      rest.limit = rest.limit.map { $0 - events.count }
      return rest.limit != 0
    }
    return Array((filter.isFromEnd ? parts.reversed() : parts).joined())
  }

  /// The kinds that a filter lets through, as blocks have them.
  private func kinds(of filter: EventFilter) throws(GatebookError) -> Int64 {
    var conditions = EventConditions()
    conditions.addKinds(of: filter, on: "number")
    let statement = try connection.statement("SELECT number FROM kind \(conditions.clause)")
    let rows = conditions.rows(statement)
    var kinds: Int64 = 0
    while let row = try rows.next() { kinds |= Block.bit(of: row.integer(0)) }
    return kinds
  }

  /// How many events an account's stream has in this book.
  private func streamLength(of account: AccountID) throws(GatebookError) -> Int64 {
    guard let number = try connection.number(of: account) else { return 0 }
    return try connection.integer(
      """
      SELECT (SELECT max(revision) FROM event WHERE account = ?1)
        - (SELECT min(revision) FROM event WHERE account = ?1) + 1
      """, number)
  }

  private func read(
    _ filter: EventFilter, in span: BlockSearch.Span? = nil
  ) throws(GatebookError) -> [RecordedEvent] {
    var conditions = EventConditions()
    conditions.addKinds(of: filter, on: "e.kind")
    // The plus keeps SQLite from the index of streams, in which a span has no end.
    conditions.add(
      "\(span == nil ? "" : "+")e.account = (SELECT number FROM account WHERE id = ?)",
      filter.account)
    conditions.add("e.session = (SELECT number FROM session WHERE id = ?)", filter.session)
    conditions.add("e.at >= ?", filter.since)
    conditions.add("e.at < ?", filter.until)
    conditions.add("e.position > ?", span?.start ?? filter.after?.rawValue)
    conditions.add("e.position <= ?", span?.end)
    conditions.add("e.position <= ?", filter.upTo)
    let direction = filter.isFromEnd ? "DESC" : "ASC"
    // Within a stream both orders are the same, but only that of revisions is in its index.
    let order = filter.account == nil || span != nil ? "e.position" : "e.revision"
    let clause = conditions.clause
    let statement = try connection.statement(
      """
      \(Self.columns()) \(clause) ORDER BY \(order) \(direction)
      LIMIT \(conditions.place(of: Int64(filter.limit ?? -1)))
      """)
    let rows = conditions.rows(statement)
    var events: [RecordedEvent] = []
    while let row = try rows.next() { events.append(try Self.event(row, sealer)) }
    return filter.isFromEnd ? events.reversed() : events
  }
}

/// What a query demands of the rows of events, and the values that belong to it.
private struct EventConditions {
  private var conditions: [String] = []
  private var values: [any Bindable] = []

  /// The conditions as a query has them.
  var clause: String {
    conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
  }

  /// The rows of the query, which must have a place for each value.
  func rows(_ statement: Statement) -> Rows {
    for (index, value) in values.enumerated() { value.bind(to: statement, at: Int32(index + 1)) }
    return Rows(of: statement)
  }

  /// The placeholder of a value in the query.
  mutating func place(of value: some Bindable) -> String {
    values.append(value)
    return "?\(values.count)"
  }

  /// Adds a condition with `?` for its value; none without one.
  mutating func add(_ condition: String, _ value: (some Bindable)?) {
    guard let value else { return }
    conditions.append(condition.replacing("?", with: place(of: value)))
  }

  /// Adds what a filter demands of the number of a kind.
  mutating func addKinds(of filter: EventFilter, on column: String) {
    if let kind = filter.kind {
      // A kind cannot contain GLOB's own characters.
      let isFamily = kind.hasSuffix(".") && !kind.contains { "*?[".contains($0) }
      conditions.append(
        """
        \(column) IN (SELECT number FROM kind
          WHERE name = \(place(of: kind)) OR name GLOB \(place(of: isFamily ? "\(kind)*" : "")))
        """)
    }
    guard filter.failedOnly else { return }
    conditions.append(
      """
      \(column) IN (SELECT number FROM kind WHERE name GLOB '*.failed'
        OR name IN (\(Self.failures)))
      """)
  }

  /// The names of the kinds that a report marks as failures, for SQL.
  private static let failures = EventKind.allCases.filter { $0.traits.mark == .failure }
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

extension EventFilter {
  /// Whether the events that it wants are known by their kinds and times.
  fileprivate var isSelective: Bool { kind != nil || failedOnly || since != nil || until != nil }

  /// Whether it wants the last events, and not those after a position.
  fileprivate var isFromEnd: Bool { after == nil && limit != nil }
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
