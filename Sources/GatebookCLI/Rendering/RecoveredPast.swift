internal import Gatebook

/// What a recovery has left of a book, as `verify` reports it for the book and for the archive that
/// it continues.
struct RecoveredPast {
  private let past: Continuation

  /// - Parameter past: What the book continues; `nil` for one that has all of its past.
  init?(_ past: Continuation?) {
    guard let past, past.isRecovered else { return nil }
    self.past = past
  }

  /// For people.
  var lines: [String] {
    first(past.lost) { range in
      range.lowerBound == range.upperBound
        ? "Lost: the event at position \(range.lowerBound)."
        : "Lost: events \(range.lowerBound) to \(range.upperBound)."
    }
      + first(past.uncovered) { range in
        let events =
          range.lowerBound == range.upperBound
          ? "The event at position \(range.lowerBound) is"
          : "The events \(range.lowerBound) to \(range.upperBound) are"
        return "\(events) next to lost or archived events: "
          + (past.isBound
            ? "no checkpoint from before the last recovery covers them."
            : "nothing proves them, because the Gatebook that recovered the book did not record what it "
              + "kept.")
      }
      + first(past.suspect) { range in
        "At the recovery, the events \(range.lowerBound) to \(range.upperBound) did not match their "
          + "stored root: one of them had been rewritten, or the root was damaged."
      } + present(!past.hasEnd, Self.endless) + present(!past.hasBeginning, Self.changed)
      + present(
        !past.isProven,
        "Checkpoints from before the recovery do not cover this book: its tree started again at "
          + "position \(past.floor.rawValue + 1).")
  }

  /// What was not believed, in one sentence each.
  var doubts: [String] {
    present(
      !past.suspect.isEmpty,
      "Some recovered events did not match the root that was stored for them.")
      + present(!past.hasEnd, Self.endless) + present(!past.hasBeginning, Self.changed)
  }

  /// For programs.
  var members: [(String, JSON?)] {
    let doubting = past.hasRecordedDoubts ? past : nil
    let proven = past.isProven ? past : nil
    return [
      ("recovered", .bool(true)),
      ("lost", .pairs(past.lost)),
      ("uncovered", proven.map { .pairs($0.uncovered) }),
      ("bound", proven.map { .bool($0.isBound) }),
      ("suspect", doubting.map { .pairs($0.suspect) }),
      ("endKnown", doubting.map { .bool($0.hasEnd) }),
      ("beginningKept", doubting.map { .bool($0.hasBeginning) }),
    ]
  }

  private static let endless =
    "The recovery, or an earlier one, could not find the end of the log: later events may be missing "
    + "without a trace."
  private static let changed =
    "The state that the book had continued from was changed before the recovery, or partly lost. What "
    + "is shown of it may be wrong."

  private func present(_ isTrue: Bool, _ line: String) -> [String] { isTrue ? [line] : [] }

  /// A line for each of the first ranges, and one for the rest: scattered losses have hundreds.
  private func first(
    _ ranges: [ClosedRange<Position>], _ line: (ClosedRange<Position>) -> String
  ) -> [String] {
    let most = 10
    let lines = ranges.prefix(most).map(line)
    guard let last = ranges.last, ranges.count > most else { return lines }
    let rest = ranges.count - most
    return lines + [
      "\(rest) more such range\(rest == 1 ? "" : "s"), up to position \(last.upperBound): see `--json`."
    ]
  }
}
