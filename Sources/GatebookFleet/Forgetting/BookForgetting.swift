internal import Gatebook
internal import GatebookStore

/// Forgets the old events of one book: of all its histories, or of none.
///
/// ```
/// one snapshot: runs -> histories verified -> states after the runs -> one transaction each: dropped
/// ```
///
/// A history that left another one is dropped first: it then needs none of the other's events.
struct BookForgetting {
  let book: BookID
  let moment: Timestamp
  /// No more than these runs are dropped.
  let planned: [ForgettingPlan.Run]
  let connection: FleetConnection
  let folder: StateFolder
  /// Called with the number of events that were read.
  let progress: (Int64) -> Void

  /// Others may forget or begin a history of the book meanwhile: then it is planned again.
  private static let attempts = 3

  /// A run whose events were verified, and the state after it.
  private struct Prepared {
    let run: ForgettingPlan.Run
    let verdict: HistoryVerdict
    let rows: [ShippedRow]
  }

  /// Forgets them.
  ///
  /// - Parameter report: What is done is added to it, also before a failure.
  /// - Throws: `fleet` and `storage` failures; `cancelled`.
  func run(_ report: inout ForgettingReport) throws(GatebookError) {
    for attempt in 1...Self.attempts {
      let (prepared, kept) = try prepare()
      for run in kept { try record(run) }
      var isChanged = false
      for next in prepared where !isChanged {
        switch try drop(next) {
        case .forgotten(let events):
          report.forgotten.append(
            ForgettingReport.Run(
              book: next.run.book, last: next.run.last, events: events,
              covered: next.verdict.covered, withheld: next.verdict.withheld))
        case .moving:
          report.kept += kept + [Self.kept(next.run, .moving)]
          return
        case .changed where attempt == Self.attempts:
          report.kept.append(Self.kept(next.run, .changed))
          isChanged = true
        case .changed: isChanged = true
        }
      }
      guard isChanged, attempt < Self.attempts else {
        report.kept += kept
        return
      }
    }
  }

  private static func kept(
    _ run: ForgettingPlan.Run, _ reason: ForgettingReport.Kept.Reason
  ) -> ForgettingReport.Kept {
    ForgettingReport.Kept(book: run.book, firstBad: nil, reason: reason)
  }

  // MARK: One snapshot

  /// Verifies the book, and computes the states after the runs.
  ///
  /// - Returns: What can be dropped, in the order in which it must be; and what is kept.
  private func prepare() throws(GatebookError) -> ([Prepared], [ForgettingReport.Kept]) {
    try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY") {
      () throws(GatebookError) in
      let histories = try FleetBook.histories(of: book, connection)
      let runs = try runs(of: histories)
      guard !runs.isEmpty else { return ([], []) }
      let heads = try HistoryHead.all(book, connection)
      let ends = Dictionary(runs.map { (Int32($0.book.branch), $0.last.rawValue) }) { $1 }
      let found = try BookCheck(
        book: book, connection: connection, looksForUnknown: false, progress: { _ in }
      ).histories(heads, keeping: ends)
      progress(found.reduce(0) { $0 + $1.verdict.events })
      let judgement = RunJudgement(histories, found)
      if let mismatch = judgement.mismatch(in: runs) { return ([], [mismatch]) }
      let (allowed, unproven) = judgement.allowed(runs)
      var prepared: [Prepared] = []
      for (run, state) in allowed {
        guard let verdict = judgement.verdict(of: run.book) else { continue }
        prepared.append(Prepared(run: run, verdict: verdict, rows: try rows(run, state)))
      }
      return (prepared, unproven.map { Self.kept($0, .unproven) })
    }
  }

  /// The runs as they are now, as far as they were planned.
  private func runs(of histories: [FleetBook]) throws(GatebookError) -> [ForgettingPlan.Run] {
    let search = RunSearch(moment: moment, connection: connection)
    let found = try connection.byKeys { () throws(GatebookError) in try search.runs(of: histories) }
    return found.compactMap { run in
      guard let limit = planned.first(where: { $0.book.branch == run.book.branch })?.last else {
        return nil
      }
      let last = min(run.last, limit)
      let isEmpty = last < run.first && run.events > 0
      return isEmpty
        ? nil
        : ForgettingPlan.Run(book: run.book, first: run.first, last: last, events: run.events)
    }
  }

  /// The state after a run, as a book begins with it.
  private func rows(
    _ run: ForgettingPlan.Run, _ state: HistoryState
  ) throws(GatebookError) -> [ShippedRow] {
    guard let tree = state.tree, let key = state.key else { return [] }
    let history = try PulledHistory(
      of: run.book, upTo: run.last.rawValue, takesWithheld: true, connection)
    let states = try PulledState(
      at: folder.place, of: book, after: history.past, lost: history.lost)
    var read: Int64 = 0
    try history.forEach { (event, program) throws(GatebookError) in
      try states.take(event, by: program)
    } progress: { done in
      progress(done - read)
      read = done
    }
    return try states.rows(upTo: run.last.rawValue, root: tree.rootDigest, key: key)
  }

  // MARK: Changes

  private enum Answer {
    case forgotten(Int64)
    case changed
    case moving
  }

  private func drop(_ prepared: Prepared) throws(GatebookError) -> Answer {
    let run = prepared.run
    let answer = try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        "SELECT verdict, events FROM gatebook.forget($1, $2, $3, $4, $5, $6, $7, $8)",
        .identity(book), .small(Int32(run.book.branch)), .integer(run.last.rawValue),
        .integer(run.book.forgotten.rawValue), .texts(prepared.rows.map(\.part)),
        .bytesArray(prepared.rows.map(\.name)), .bytesArray(prepared.rows.map(\.content)),
        .text(ForgettingNotice.text(prepared.verdict, upTo: run.last.rawValue))
      ).first
    }
    switch answer?.text(0) {
    case "forgotten": return .forgotten(answer?.integer(1) ?? 0)
    case "moving": return .moving
    default: return .changed
    }
  }

  /// Records that events are kept because they do not agree.
  private func record(_ kept: ForgettingReport.Kept) throws(GatebookError) {
    guard case .mismatch(let problems) = kept.reason else { return }
    try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        "SELECT gatebook.record($1, $2, $3, $4, $5)", .identity(book),
        .small(Int32(kept.book.branch)), .text(ForgettingNotice.refused),
        .integer(kept.firstBad?.rawValue), .text(ForgettingNotice.text(problems)))
    }
  }
}
