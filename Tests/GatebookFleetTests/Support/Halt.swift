import Gatebook
import Testing

@testable import GatebookFleet

/// Halts shippers in the middle of a statement, until the test lets them continue.
///
/// A trigger waits for a lock that the test holds; with the connection that holds it the halt ends.
struct Halt {
  private let fleet: TestFleet
  private let connection: FleetConnection

  /// Halts each connection that inserts into a table or updates it.
  init(_ fleet: TestFleet, when operation: String, into table: String) throws {
    self.fleet = fleet
    try fleet.run(
      """
      CREATE OR REPLACE FUNCTION public.halt() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NULL; END $$;
      DROP TRIGGER IF EXISTS halt ON gatebook.\(table);
      CREATE TRIGGER halt AFTER \(operation) ON gatebook.\(table)
        FOR EACH STATEMENT EXECUTE FUNCTION public.halt();
      """)
    connection = try fleet.connect()
    try connection.run("SELECT pg_advisory_lock(42)")
  }

  /// Waits until so many connections are halted, or wait for one that is.
  func wait(for count: Int = 1) async throws {
    let query = """
      SELECT count(*) >= \(count) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
      """
    try await GatebookFleetTests.wait(for: "halted shipper") { try fleet.value(query) == "true" }
  }

  /// Lets all continue, and waits until the connections of a role are closed.
  func end(awaitingEndOf role: FleetRole? = nil) async throws {
    try connection.run("SELECT pg_advisory_unlock(42)")
    guard let role else { return }
    let query = """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = '\(role.rawValue)'
      """
    try await GatebookFleetTests.wait(for: "end of the connection") {
      try fleet.value(query) == "0"
    }
  }
}
