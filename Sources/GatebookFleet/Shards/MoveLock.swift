internal import Gatebook

/// Lets one command at a time move a part.
///
/// A connection of its own holds it and runs nothing else. So it lasts when a statement of the move
/// is cancelled, and it ends with the process.
struct MoveLock {
  /// The first key of these locks; with 64 as the second one it is the lock for adding servers.
  static let key = 1_195_463_766

  /// Tells this lock from others.
  struct Ticket: Sendable {
    let part: Int32
    /// The number of the server's process that holds it.
    let process: Int64
  }

  let ticket: Ticket
  private let holder: FleetConnection

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - access: The coordinator.
  /// - Throws: `fleet.unreachable` if another command has it; `fleet` failures.
  init(_ part: Int32, at access: FleetAccess) throws(GatebookError) {
    holder = try FleetConnection.open(access)
    let process = try holder.run("SELECT pg_backend_pid()").first?.integer(0) ?? 0
    ticket = Ticket(part: part, process: process)
    // The server notices the end of a killed command a moment later.
    try holder.run("SET lock_timeout = '2s'")
    do throws(GatebookError) {
      try holder.run("SELECT pg_advisory_lock(\(Self.key), $1)", .small(part))
    } catch {
      guard error.isAboutLocks else { throw error }
      throw GatebookError(
        .fleetUnreachable, "Another command moves part \(part) now.",
        remedy: "Wait until it has ended, then run this command again.")
    }
  }

  /// Keeps it until here.
  func end() {
    withExtendedLifetime(holder) {}
  }
}

extension MoveLock.Ticket {
  /// Checks that the lock is still held, in the transaction that depends on it.
  ///
  /// - Parameter connection: Another connection to the coordinator.
  /// - Throws: `fleet.unreachable` if it is not.
  func check(_ connection: FleetConnection) throws(GatebookError) {
    let held = try connection.run(
      """
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = $1
        AND classid::bigint = \(MoveLock.key) AND objid::bigint = $2
      """, .integer(process), .integer(Int64(part)))
    guard held.count > 0 else {
      throw GatebookError(
        .fleetUnreachable, "The connection that reserves part \(part) for this move broke.",
        kept: "No event was lost.", remedy: "Move the part again.")
    }
  }
}
