package import GatebookEvents

/// An event of a kind that somebody looks for, where the database keeps it.
///
/// Its facts are valid until the scan continues.
package struct ScannedEvent {
  package let position: Position
  /// The number of its stream; 0 is the book's own.
  package let account: Int64
  /// The number of the session or login attempt it belongs to.
  package let session: Int64?
  package let kind: EventKind
  package let at: Timestamp
  /// Facts that are neither secret nor personal.
  package let data: UnsafeRawBufferPointer

  /// Makes one of its parts.
  package init(
    position: Position, account: Int64, session: Int64?, _ kind: EventKind, at: Timestamp,
    data: UnsafeRawBufferPointer
  ) {
    self.position = position
    self.account = account
    self.session = session
    self.kind = kind
    self.at = at
    self.data = data
  }
}

extension ScannedEvent {
  /// Makes one of an entry whose kind is known.
  package init(_ entry: ScannedEntry, _ kind: EventKind) {
    self.init(
      position: entry.position, account: entry.account, session: entry.session, kind,
      at: entry.at, data: entry.data)
  }
}

extension BookReader {
  /// Steps over the events of some kinds, in the order of the book; parts of the log without them
  /// are not read.
  ///
  /// The log is read in pieces, each in a transaction of its own: what comes while it is read is
  /// left out.
  ///
  /// - Parameters:
  ///   - kinds: The kinds.
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - since: Only from this moment on.
  ///   - body: Sees each event.
  /// - Throws: What `body` throws, and `storage` failures.
  package func scan(
    _ kinds: Set<EventKind>, of account: AccountID? = nil, since: Timestamp? = nil,
    _ body: (ScannedEvent) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    let known = try kindNumbers(kinds)
    guard !known.isEmpty else { return }
    let numbers = known.keys.sorted().map(String.init).joined(separator: ",")
    let columns = "SELECT position, account, session, kind, at, data FROM event"
    if let account {
      let rows = try connection.rows(
        """
        \(columns) WHERE account = (SELECT number FROM account WHERE id = ?1) AND at >= ?2
          AND kind IN (\(numbers)) ORDER BY revision
        """, account, since?.rawValue ?? .min)
      return try step(rows, known, body)
    }
    var search = try BlockSearch(self)
    search.kinds = known.keys.reduce(0) { $0 | Block.bit(of: $1) }
    search.since = since?.rawValue ?? .min
    try search.forEachSpan(after: 0, upTo: try head().size) { span throws(GatebookError) in
      // From event to event: a damaged head, or one position, may be beyond all that a file can
      // hold.
      var start = span.start
      while let next = try firstPosition(after: start, upTo: span.end) {
        start = next - 1
        let end = span.end - start > Self.piece ? start + Self.piece : span.end
        let rows = try connection.rows(
          """
          \(columns) WHERE position > ?1 AND position <= ?2 AND at >= ?3 AND kind IN (\(numbers))
          ORDER BY position
          """, start, end, search.since)
        try step(rows, known, body)
        start = end
      }
      return true
    }
  }

  private static let piece: Int64 = 65_536

  private func firstPosition(
    after start: Int64, upTo end: Int64
  ) throws(GatebookError) -> Int64? {
    try connection.first(
      "SELECT position FROM event WHERE position > ?1 AND position <= ?2 ORDER BY position LIMIT 1",
      start, end
    ) { $0.integer(0) }
  }

  private func step(
    _ rows: borrowing Rows, _ kinds: [Int64: EventKind],
    _ body: (ScannedEvent) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    while let row = try rows.next() {
      guard let kind = kinds[row.integer(3)] else { continue }
      try body(
        ScannedEvent(
          position: Position(rawValue: row.integer(0)), account: row.integer(1),
          session: row.optionalInteger(2), kind,
          at: Timestamp(rawValue: row.integer(4)), data: row.raw(5)))
    }
  }

  /// The kinds by their numbers in this book, as far as it has them.
  private func kindNumbers(_ kinds: Set<EventKind>) throws(GatebookError) -> [Int64: EventKind] {
    try connection.table("SELECT number, name FROM kind") { row in
      EventKind(rawValue: row.text(1)).flatMap {
        kinds.contains($0) ? (row.integer(0), $0) : nil
      }
    }
  }
}
