internal import Gatebook

/// Finds the events of a book's histories that are old enough to be forgotten.
///
/// Time is no order: a run ends before the first position with a later time, also if older times
/// follow. A history that left another one continues the other's run: it can only be forgotten
/// beyond the events that both share once all of these are old.
struct RunSearch {
  /// All events of a run are before this moment.
  let moment: Timestamp
  let connection: FleetConnection

  /// Finds the runs.
  ///
  /// - Parameter histories: All histories of one book, in the order of their numbers.
  /// - Returns: A run for each history that has one, in the same order.
  /// - Throws: `fleet` failures.
  func runs(of histories: [FleetBook]) throws(GatebookError) -> [ForgettingPlan.Run] {
    var ends: [Int: Int64] = [:]
    var runs: [ForgettingPlan.Run] = []
    for history in histories {
      let base = history.base.rawValue
      let parent = history.continuesParent && base > 0 ? history.parent.flatMap { ends[$0] } : nil
      if let parent, parent < base {
        ends[history.branch] = parent
        continue
      }
      let end = try self.end(of: history)
      ends[history.branch] = end
      // Where the other history forgets no more than what both share, nothing has to be kept twice.
      guard end >= history.first.rawValue || parent.map({ $0 > base }) ?? false else { continue }
      runs.append(
        ForgettingPlan.Run(
          book: history, first: history.first, last: Position(rawValue: end),
          events: try count(history, upTo: end)))
    }
    return runs
  }

  /// The last position of a history's own events before the first one that is not old enough.
  private func end(of history: FleetBook) throws(GatebookError) -> Int64 {
    let later = try connection.run(
      """
      SELECT position FROM gatebook.event
      WHERE book = $1 AND branch = $2 AND position >= $3 AND at >= $4 ORDER BY position LIMIT 1
      """, .identity(history.id), .small(Int32(history.branch)), .integer(history.first.rawValue),
      .integer(moment.rawValue)
    ).first
    return later.map { $0.integer(0) - 1 } ?? history.size
  }

  /// How many events the fleet has up to one: all but those that a recovery did not find.
  private func count(_ history: FleetBook, upTo end: Int64) throws(GatebookError) -> Int64 {
    guard end >= history.first.rawValue else { return 0 }
    let lost = try connection.run(
      """
      SELECT coalesce(sum(upper(r) - lower(r)), 0)::bigint FROM gatebook.branch b,
        unnest(b.lost * int8multirange(int8range($3, $4, '[]'))) r
      WHERE b.book = $1 AND b.branch = $2
      """, .identity(history.id), .small(Int32(history.branch)), .integer(history.first.rawValue),
      .integer(end)
    ).first?.integer(0)
    return end - history.first.rawValue + 1 - (lost ?? 0)
  }
}
