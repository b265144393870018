internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// Verifies all histories of one book over one connection, in one snapshot: shippers can work
/// meanwhile.
struct BookCheck {
  /// So many events are read by one statement; then the progress is shown.
  private static let events = 65_536

  let book: BookID
  let connection: FleetConnection
  /// Whether to look for rows that belong to none of its histories.
  let looksForUnknown: Bool
  /// Heads that were kept outside of the fleet; `nil` for none.
  var kept: FleetHeads?
  /// Whether the states of accounts and sessions are computed from the events.
  var foldsStates = false
  /// Called with the number of events that were read.
  let progress: @Sendable (Int64) -> Void

  /// Verifies them.
  ///
  /// - Returns: A verdict for each history, and for each that has rows without being one.
  /// - Throws: `fleet` failures; `cancelled`.
  func verdicts() throws(GatebookError) -> [HistoryVerdict] {
    try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY") {
      () throws(GatebookError) in
      let heads = try HistoryHead.all(book, connection)
      guard !heads.isEmpty else { return [] }
      let found = try histories(heads)
      var verdicts = found.map { $0.verdict }
      let erased = found.reduce(into: Set<AccountID>()) { $0.formUnion($1.check.erased) }
      let problems = try ErasedAccounts(erased, of: book, connection).problems
      // They are of the book, and not of one of its histories.
      verdicts[0].problems += problems
      guard looksForUnknown else { return verdicts }
      return try verdicts + UnknownRows.of(book, besides: heads, connection).map(\.verdict)
    }
  }

  /// Verifies the histories, in a transaction that sees one state of the fleet.
  ///
  /// - Parameters:
  ///   - heads: The histories.
  ///   - ends: The positions after which the state of a history is kept, by its number.
  /// - Returns: A verdict for each history, with its states after these events.
  /// - Throws: `fleet` failures; `cancelled`.
  func histories(
    _ heads: [HistoryHead], keeping ends: [Int32: Int64] = [:]
  ) throws(GatebookError) -> [(verdict: HistoryVerdict, check: HistoryCheck)] {
    let programs = try ProgramTable(book, connection)
    var shared: [Int32: [Int64: HistoryState]] = [:]
    var found: [(verdict: HistoryVerdict, check: HistoryCheck)] = []
    for head in heads {
      let isShared = head.start == head.base && head.forgotten == 0
      let bases = heads.filter { $0.parent == head.branch }.map(\.base)
      var check = HistoryCheck(
        head, of: book, head.hasPast ? try past(head, .book) : nil,
        start: head.hasStart ? try past(head, .start) : nil,
        after: isShared ? head.parent.flatMap { shared[$0]?[head.base] } : nil,
        bases: bases + (ends[head.branch].map { [$0] } ?? []), programs,
        kept: kept?.head(of: book, branch: Int(head.branch)), folds: foldsStates)
      if found.isEmpty { check.findings.add(programs.findings) }
      try read(&check)
      shared[head.branch] = check.shared
      found.append((try finished(check), check))
    }
    return found
  }

  private func past(_ head: HistoryHead, _ rows: PastRows) throws(GatebookError) -> StoredPast {
    try StoredPast.read(head, book, rows, folds: foldsStates, connection)
  }

  /// Reads all events of a history, and the heads between them.
  private func read(_ check: inout HistoryCheck) throws(GatebookError) {
    var last = Int64.min
    var bound = Int64.min
    var isLastPage = false
    while !isLastPage {
      let heads = try StoredHead.next(after: bound, check.head.branch, book, connection)
      check.expect(heads)
      isLastPage = heads.count < StoredHead.page
      bound = isLastPage ? .max : heads.last?.size ?? .max
      var count: Int
      repeat {
        count = try read(&check, after: &last, upTo: bound)
        progress(Int64(count))
      } while count == Self.events
      last = max(last, bound)
    }
    check.finish()
  }

  /// Reads some events.
  ///
  /// - Returns: How many.
  private func read(
    _ check: inout HistoryCheck, after last: inout Int64, upTo bound: Int64
  ) throws(GatebookError) -> Int {
    let sql = """
      COPY (SELECT \(EventRow.columns) FROM gatebook.event
        WHERE book = '\(book)' AND branch = \(check.head.branch) AND position > \(last)
        AND position <= \(bound) ORDER BY position LIMIT \(Self.events)) TO STDOUT (FORMAT binary)
      """
    var count = 0
    var reached = last
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(sql) { piece in
        guard let row = EventRow(piece) else { return }
        count += 1
        reached = row.envelope.position
        check.take(row)
      }
    }
    last = reached
    return count
  }

  /// The verdict after the last event.
  private func finished(_ check: HistoryCheck) throws(GatebookError) -> HistoryVerdict {
    let head = check.head
    var findings = check.findings
    findings.add(try CounterCheck(check, book, connection).findings)
    let present = foldsStates ? try PresentCheck(check, book, connection) : nil
    if let present { findings.add(present.findings) }
    var verdict = HistoryVerdict(
      book: book, branch: Int(head.branch), machine: head.machine, size: head.size)
    verdict.events = check.events
    verdict.forgotten = check.forgotten
    verdict.states = present?.result
    verdict.key = check.state.key.map { Hex.encode($0) }
    verdict.known = check.kept?.size
    verdict.isNew = kept != nil && check.kept == nil
    verdict.isKnownForgotten = check.kept?.isForgotten ?? false
    verdict.root = check.state.tree.map { Hex.encode($0.root) }
    verdict.covered = check.heads.covered.map(Position.init(rawValue:))
    verdict.withheld = check.withheld
    verdict.firstWithheld = check.state.firstWithheld.map(Position.init(rawValue:))
    verdict.sealed = check.sealed
    verdict.unproven = check.unproven
    verdict.lost = (head.lost ?? []).map {
      Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound)
    }
    verdict.firstBad = findings.firstBad.map(Position.init(rawValue:))
    verdict.problems = findings.problems
    verdict.hasUnplaced = findings.hasUnplaced
    return verdict
  }
}
