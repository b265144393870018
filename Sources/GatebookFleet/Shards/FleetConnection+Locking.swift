internal import Gatebook
internal import GatebookSystem

extension FleetConnection {
  /// Runs a transaction as the owner that locks what others use.
  ///
  /// Who comes later waits for a lock that somebody waits for. So an attempt waits two seconds at
  /// most, and others get their turn before the next one.
  ///
  /// - Parameters:
  ///   - waiting: Called after each attempt that failed.
  ///   - body: The transaction; it is repeated from its begin.
  /// - Returns: What the transaction returns.
  /// - Throws: `fleet.unreachable` if the others did not end within ``movePatience``; `fleet`
  ///   failures; `cancelled`.
  func patiently<Value>(
    waiting: () -> Void, running body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    let end = SystemTime.monotonic + Self.movePatience.microseconds
    var pause: Int32 = 1
    while true {
      do throws(GatebookError) {
        return try asOwner { () throws(GatebookError) in
          try run("SET LOCAL lock_timeout = '2s'")
          return try body()
        }
      } catch {
        guard error.isAboutLocks else { throw error }
        guard SystemTime.monotonic < end else { throw Self.busy(address, error) }
      }
      waiting()
      // The server waits: a task that is cancelled then ends at once.
      try run("SELECT pg_sleep($1)", .small(pause))
      pause = min(2 * pause, 8)
    }
  }

  /// Runs a transaction that locks all partitioned tables against others.
  ///
  /// - Parameters:
  ///   - waiting: Called when others keep it waiting.
  ///   - body: The transaction.
  /// - Returns: What the transaction returns.
  /// - Throws: As ``patiently(waiting:running:)``.
  func lockingTables<Value>(
    waiting: () -> Void, running body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try patiently(waiting: waiting) { () throws(GatebookError) in
      let tables = try partitionedTables().map { "ONLY gatebook.\(SQLText.identifier($0))" }
      try run("LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
      return try body()
    }
  }

  private static func busy(_ address: FleetAddress, _ error: GatebookError) -> GatebookError {
    GatebookError(
      .fleetUnreachable,
      "Others use the tables of the fleet at \(address), and did not end within an hour.",
      kept: "No event was lost. `gatebook fleet shards` shows parts that are still moving.",
      remedy: "Find them in pg_stat_activity and wait for them, then run the command again.",
      cause: error.cause)
  }
}

extension GatebookError {
  /// Whether PostgreSQL ended a statement because of the locks of others.
  ///
  /// Source: PostgreSQL 15, appendix A: `lock_not_available` and `deadlock_detected`.
  var isAboutLocks: Bool {
    guard let cause else { return false }
    return cause.hasPrefix("55P03") || cause.hasPrefix("40P01")
  }
}
