internal import Gatebook
internal import GatebookEvents

/// From when on events are read of which there are too many.
enum NewestEvents {
  /// As many are read at most, unless a time was asked for.
  private static let most: Int64 = 500_000

  /// The first day of the newest events of some kinds, where there are more than are read; else
  /// `nil`.
  ///
  /// Counters say it.
  static func start(
    of kinds: [EventKind], _ selection: FleetSelection, _ connection: FleetConnection
  ) throws(GatebookError) -> Timestamp? {
    var conditions = FleetConditions()
    conditions.add("kind = ANY(?)", .texts(kinds.map(\.rawValue)))
    selection.restrict(&conditions)
    let all =
      try connection.run(
        "SELECT coalesce(sum(events), 0)::bigint FROM gatebook.total \(conditions.clause)",
        conditions
      ).first?.integer(0) ?? 0
    guard all > most else { return nil }
    let rows = try connection.run(
      "SELECT day, sum(events)::bigint FROM gatebook.tally \(conditions.clause) "
        + "GROUP BY day ORDER BY day DESC", conditions)
    var (count, start): (Int64, Day?) = (0, nil)
    for number in 0..<rows.count {
      count += rows[number].integer(1)
      guard count <= most || start == nil else { break }
      start = Day(rawValue: rows[number].integer(0))
    }
    return start?.start
  }
}
