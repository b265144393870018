import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// What a superuser's command runs, writes and reads on the servers of a fleet.
@Suite struct ShardPrivilegeTests {
  /// Records who runs statements on the tables that the owner of the schema has.
  private static let spies = """
    SET ROLE gatebook_owner;
    CREATE TABLE gatebook.seen (who name DEFAULT current_user, what text);
    CREATE FUNCTION gatebook.spy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO gatebook.seen (what) VALUES (TG_OP || ' ' || TG_TABLE_NAME);
      RETURN NULL;
    END $$;
    CREATE TRIGGER spy AFTER INSERT OR UPDATE OR DELETE ON gatebook.part
      FOR EACH STATEMENT EXECUTE FUNCTION gatebook.spy();
    CREATE CONSTRAINT TRIGGER late AFTER INSERT OR UPDATE ON gatebook.server
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gatebook.spy();
    CREATE FUNCTION gatebook.see(what text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO gatebook.seen (what) VALUES (what);
      RETURN true;
    END $$;
    ALTER TABLE gatebook.fleet RENAME TO true_fleet;
    CREATE VIEW gatebook.fleet AS SELECT * FROM gatebook.true_fleet WHERE gatebook.see('fleet');
    """

  @Test func `nothing of the schema's owner runs as the superuser`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 20)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    for server in [fleet.coordinator, move.source, move.target] {
      try fleet.run(Self.spies, on: server)
    }
    let shards = FleetShards(of: try fleet.access(fleet.coordinator))
    _ = try await shards.add(try fleet.access(fleet.servers[2]))
    try await fleet.move(move.part, to: move.names.target)
    _ = try await shards.servers()
    for server in [fleet.coordinator, move.source, move.target] {
      let others =
        "SELECT string_agg(DISTINCT who || ' ' || what, ', ') FROM gatebook.seen "
        + "WHERE who <> 'gatebook_owner'"
      #expect(try fleet.value(others, on: server) == nil)
      #expect(try fleet.value("SELECT count(*) > 0 FROM gatebook.seen", on: server) == "true")
    }
  }

  @Test func `a name of a server that Gatebook did not make is in no statement`() async throws {
    let fleet = try await ShardedFleet()
    let place = "127.0.0.1:\(fleet.servers[2].port)/postgres"
    try fleet.run("INSERT INTO gatebook.server VALUES ('shard9 SUPERUSER', '\(place)')")
    let error = await expect(.fleetMismatch) { () throws(GatebookError) in
      _ = try await FleetShards(of: try fleet.access(fleet.coordinator)).add(
        try fleet.access(fleet.servers[2]))
    }
    #expect(error?.message.contains("shard9 SUPERUSER") == true)
  }

  @Test func `the passwords between servers are in no log`() async throws {
    let fleet = try await ShardedFleet()
    for server in [fleet.coordinator, fleet.servers[2]] {
      try fleet.run("ALTER SYSTEM SET log_statement = 'all'", on: server)
      try fleet.run("ALTER SYSTEM SET log_min_duration_statement = 0", on: server)
      try fleet.run("SELECT pg_reload_conf()", on: server)
      try await wait(for: "statements in the log") {
        _ = try fleet.value("SELECT 'logged-' || 'marker'", on: server)
        return Files.text(of: server.folder + "/log").contains("'logged-' || 'marker'")
      }
    }
    _ = try await FleetShards(of: try fleet.access(fleet.coordinator)).add(
      try fleet.access(fleet.servers[2]))
    for server in [fleet.coordinator, fleet.servers[2]] {
      let log = Files.text(of: server.folder + "/log")
      #expect(log.contains("gatebook.fleet"))
      #expect(!log.contains("password '"))
      #expect(!log.contains("PASSWORD 'SCRAM"))
    }
  }

  @Test func `a server that is known gets the options of the new command`() async throws {
    let fleet = try await ShardedFleet()
    let tls = try FleetTool(["--tls"]).servers()[0]
    let shards = FleetShards(of: try fleet.access(fleet.coordinator))
    let plain = try fleet.access(tls)
    let name = try await shards.add(plain)
    try fleet.run("ALTER SERVER \(name) OPTIONS (SET fetch_size '77')")
    let question =
      "SELECT array_to_string(srvoptions, ' ') FROM pg_foreign_server WHERE srvname = '\(name)'"
    #expect(try fleet.value(question)?.contains("sslmode=prefer") == true)
    let authority = try #require(tls.authority)
    let trusting = try tls.access(.admin, "postgres", trust: FleetTrust(authorities: authority))
    #expect(try await shards.add(trusting) == name)
    let options = try #require(try fleet.value(question))
    #expect(options.contains("sslmode=verify-full"), "\(options)")
    #expect(options.contains("sslrootcert=\(authority)"), "\(options)")
    #expect(options.contains("fetch_size=77"), "\(options)")
    _ = try await shards.move(
      [3], to: name,
      reaching: [
        "127.0.0.1:\(tls.port)/postgres": trusting
      ].merging(fleet.accesses) { $1 }
    ) { _, _, _, _ in }
    #expect(try fleet.value("SELECT count(*) FROM gatebook_part.branch_3") == "0")
  }
}
