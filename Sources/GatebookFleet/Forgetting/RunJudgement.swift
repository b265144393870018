internal import Gatebook

/// Says which runs of a verified book may be dropped.
struct RunJudgement {
  private let histories: [FleetBook]
  private let found: [(verdict: HistoryVerdict, check: HistoryCheck)]

  /// Judges by what was found in all histories of the book.
  init(
    _ histories: [FleetBook], _ found: [(verdict: HistoryVerdict, check: HistoryCheck)]
  ) {
    self.histories = histories
    self.found = found
  }

  /// What was found in a history.
  func verdict(of book: FleetBook) -> HistoryVerdict? {
    found.first { $0.verdict.branch == book.branch }?.verdict
  }

  private func check(of branch: Int) -> HistoryCheck? {
    found.first { $0.verdict.branch == branch }?.check
  }

  /// What is wrong with the events of some runs, or with what has no position.
  ///
  /// What is wrong only after them keeps nobody from dropping them.
  ///
  /// - Parameter runs: The runs.
  /// - Returns: The first history with a fault; `nil` for none.
  func mismatch(in runs: [ForgettingPlan.Run]) -> ForgettingReport.Kept? {
    for run in runs {
      let parts = HistoryParts(of: run.book, among: histories, upTo: run.last.rawValue).parts
      for part in parts {
        guard let verdict = found.first(where: { $0.verdict.branch == part.branch })?.verdict,
          let book = histories.first(where: { $0.branch == part.branch }), !verdict.ok
        else { continue }
        let isBefore = verdict.firstBad.map { $0.rawValue <= part.last } ?? false
        guard isBefore || verdict.hasUnplaced else { continue }
        return ForgettingReport.Kept(
          book: book, firstBad: verdict.firstBad, reason: .mismatch(verdict.problems))
      }
    }
    return nil
  }

  /// Which runs may be dropped.
  ///
  /// A run whose tree is not known at its end is kept. Another history keeps the events that it
  /// shares with it.
  ///
  /// - Parameter runs: The runs.
  /// - Returns: The runs in the order in which they are dropped, each with the state after it; and
  ///   those that are kept.
  func allowed(
    _ runs: [ForgettingPlan.Run]
  ) -> (allowed: [(ForgettingPlan.Run, HistoryState)], unproven: [ForgettingPlan.Run]) {
    var allowed: [(ForgettingPlan.Run, HistoryState)] = []
    var unproven: [ForgettingPlan.Run] = []
    // The last event that a history may lose because another one needs the next.
    var limits: [Int: Int64] = [:]
    for book in histories.reversed() {
      guard let run = runs.first(where: { $0.book.branch == book.branch }) else {
        limit(book, &limits)
        continue
      }
      let last = min(run.last.rawValue, limits[book.branch] ?? .max)
      guard last >= run.first.rawValue - 1, last > book.forgotten.rawValue,
        isProven(book, upTo: last),
        let state = check(of: book.branch)?.shared[last], state.tree != nil, state.key != nil
      else {
        if last > book.forgotten.rawValue { unproven.append(run) }
        limit(book, &limits)
        continue
      }
      allowed.append(
        (
          ForgettingPlan.Run(
            book: book, first: run.first, last: Position(rawValue: last), events: run.events),
          state
        ))
    }
    return (allowed, unproven)
  }

  /// The histories that one shares events with keep them.
  private func limit(_ book: FleetBook, _ limits: inout [Int: Int64]) {
    var home = book
    var last = Int64.max
    while home.continuesParent, home.base > .start,
      let parent = histories.first(where: { $0.branch == home.parent && $0.branch < home.branch })
    {
      last = min(last, home.base.rawValue)
      limits[parent.branch] = min(limits[parent.branch] ?? .max, last)
      home = parent
    }
  }

  /// Whether the state after an event says all: not among the events that a recovery kept beside
  /// lost ones.
  private func isProven(_ book: FleetBook, upTo last: Int64) -> Bool {
    let parts = HistoryParts(of: book, among: histories)
    guard let branch = parts.branchOfPast,
      let floor = histories.first(where: { $0.branch == branch })?.floor, floor.rawValue > last
    else { return true }
    guard check(of: branch)?.past?.isRecovered != true else { return false }
    return parts.parts.allSatisfy { part in
      check(of: part.branch)?.head.lost?.allSatisfy {
        $0.upperBound <= part.after || $0.lowerBound > part.last
      } ?? false
    }
  }
}
