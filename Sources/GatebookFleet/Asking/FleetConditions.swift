internal import Gatebook

/// What a question demands of rows, and the values that belong to it: no value is ever a part of
/// the statement's text.
struct FleetConditions {
  private var conditions: [String] = []
  private(set) var values: [PostgresValue] = []

  /// The conditions as a statement has them.
  var clause: String {
    conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
  }

  /// The placeholder of a value.
  mutating func place(of value: PostgresValue) -> String {
    values.append(value)
    return "$\(values.count)"
  }

  /// Adds a condition with `?` for each of its values.
  mutating func add(_ condition: String, _ values: PostgresValue...) {
    let parts = condition.split(separator: "?", omittingEmptySubsequences: false)
    var text = ""
    for (index, part) in parts.enumerated() {
      text += part
      if index < values.count { text += place(of: values[index]) }
    }
    conditions.append(text)
  }

  /// Adds a condition on a day.
  mutating func add(days: ClosedRange<Day>?) {
    guard let days else { return }
    add(
      "day >= ?::bigint AND day <= ?::bigint", .integer(days.lowerBound.rawValue),
      .integer(days.upperBound.rawValue))
  }

  /// Adds a condition on a moment; the end does not belong to it.
  mutating func add(since: Timestamp?, until: Timestamp?) {
    if let since { add("at >= ?", .integer(since.rawValue)) }
    if let until { add("at < ?", .integer(until.rawValue)) }
  }
}

extension FleetConnection {
  /// Runs a statement with the values of its conditions.
  func run(_ sql: String, _ conditions: FleetConditions) throws(GatebookError) -> PostgresRows {
    try talk { (postgres) throws(PostgresFailure) in
      try postgres.send(sql, conditions.values)
      return try postgres.answer()
    }
  }
}
