internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// Applies the rules of books to each history of a fleet.
struct EventFindings {
  let selection: FleetSelection
  let filter: FleetFindingFilter
  let connection: FleetConnection

  /// All rules about events.
  func all() throws(GatebookError) -> [FleetFinding] { try found(nil, in: nil) }

  /// The rules about kinds of which there are few events.
  func rare() throws(GatebookError) -> [FleetFinding] {
    try found([.clockJump, .trustDecision, .proxyMisuse], in: nil)
  }

  /// Guessed passwords: in the books with as many refusals in so short a time.
  func guessed() throws(GatebookError) -> [FleetFinding] {
    var conditions = FleetConditions()
    conditions.add(
      "kind = ANY(?)",
      .texts([EventKind.loginFailed, .challengeFailed, .refreshFailed].map(\.rawValue)))
    conditions.add(
      "strpos(data, ?) > 0", .text("\"code\":\"\(FailureCode.credentialsRefused.rawValue)\""))
    conditions.add(since: filter.since, until: filter.until)
    selection.accounts?.restrict(&conditions)
    selection.restrict(&conditions)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        """
        SELECT DISTINCT book FROM (
          SELECT book, at - lag(at, 4) OVER (PARTITION BY book, branch ORDER BY position) AS span
          FROM gatebook.event \(conditions.clause)) refused
        WHERE span <= 600000000
        """, conditions)
    }
    let suspects = Set(try rows.map { (row) -> BookID? in row.identity(0) }.compactMap(\.self))
    return try found([.passwordGuessing], in: suspects)
  }

  /// What rules find.
  ///
  /// - Parameters:
  ///   - rules: The rules; `nil` for all about events.
  ///   - books: Only in these books; `nil` for all of the selection.
  ///   - since: Only from this moment on, where that is later than what was asked for.
  /// - Returns: The findings.
  /// - Throws: `fleet` failures.
  func found(
    _ rules: Set<FindingRule>?, in books: Set<BookID>?, since: Timestamp? = nil
  ) throws(GatebookError) -> [FleetFinding] {
    guard books?.isEmpty != true else { return [] }
    var findings: [FleetFinding] = []
    var current: HistoryScan?
    let kinds = FindingFold(rules).kinds.map(\.rawValue)
    try FleetKindScan(selection, connection).scan(
      kinds, in: books, since: [filter.since, since].compactMap(\.self).max(), until: filter.until
    ) { (row) throws(GatebookError) in
      guard let id: BookID = row.identity(FleetKindScan.book),
        let book = selection.book(id, Int(row.integer(FleetKindScan.branch)))
      else { return }
      if current?.book != book {
        findings += current?.finished() ?? []
        current = HistoryScan(book, rules)
      }
      current?.take(row)
    }
    return findings + (current?.finished() ?? [])
  }
}

/// Applies rules to the events of one history.
private struct HistoryScan {
  let book: FleetBook
  private var fold: FindingFold
  /// Accounts and sessions by numbers, as a book has them.
  private var accounts: [AccountID: Int64] = [:]
  private var streams: [AccountID] = []
  private var sessions: [SessionID: Int64] = [:]

  init(_ book: FleetBook, _ rules: Set<FindingRule>?) {
    self.book = book
    fold = FindingFold(rules)
  }

  mutating func take(_ row: PostgresRow) {
    guard let kind = EventKind(rawValue: row.text(FleetKindScan.kind)) else { return }
    let account = number(ofAccount: row.identity(FleetKindScan.account))
    let session = number(ofSession: row.identity(FleetKindScan.session))
    row.bytes(FleetKindScan.data).withUnsafeBytes { data in
      fold.take(
        ScannedEvent(
          position: Position(rawValue: row.integer(FleetKindScan.position)), account: account,
          session: session, kind, at: Timestamp(rawValue: row.integer(FleetKindScan.at)),
          data: data))
    }
  }

  func finished() -> [FleetFinding] {
    fold.finished().findings.map { stream, finding in
      var finding = finding
      finding.account = stream == 0 ? nil : streams[Int(stream) - 1]
      return FleetFinding(finding, in: book)
    }
  }

  private mutating func number(ofAccount account: AccountID?) -> Int64 {
    guard let account else { return 0 }
    if let known = accounts[account] { return known }
    streams.append(account)
    accounts[account] = Int64(streams.count)
    return Int64(streams.count)
  }

  private mutating func number(ofSession session: SessionID?) -> Int64? {
    guard let session else { return nil }
    if let known = sessions[session] { return known }
    sessions[session] = Int64(sessions.count + 1)
    return sessions[session]
  }
}
