import Gatebook
import Testing

@testable import GatebookFleet

/// What somebody with a shipper's password cannot do.
struct ShipperRightsTests {
  private func expectRefused(
    _ statement: String, _ connection: FleetConnection,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let failure = #expect(
      throws: PostgresFailure.self, "\(statement)", sourceLocation: sourceLocation
    ) {
      try connection.postgres.run(statement)
    }
    #expect(failure?.state == "42501", "\(statement)", sourceLocation: sourceLocation)
  }

  @Test func `a shipper reads and changes no table`() async throws {
    let fleet = try await TestFleet()
    try await fleet.ship(try await TestBook.written(events: 5))
    let tables = try fleet.connect().run(
      """
      SELECT c.oid::regclass::text FROM pg_class c
      WHERE relnamespace IN ('gatebook'::regnamespace, 'gatebook_part'::regnamespace)
        AND relkind IN ('r', 'p', 'v', 'f')
      """
    ).map { $0.text(0) }
    #expect(tables.count > 64)
    let shipper = try fleet.connect(.shipper)
    for table in tables where table != "gatebook.fleet" {
      try expectRefused("SELECT count(*) FROM \(table)", shipper)
      try expectRefused("DELETE FROM \(table)", shipper)
      try expectRefused("TRUNCATE \(table)", shipper)
      guard table != "gatebook.staging" else { continue }
      try expectRefused("INSERT INTO \(table) DEFAULT VALUES", shipper)
    }
    for table in ["gatebook.fleet", "gatebook.staging"] {
      for change in [
        "DELETE FROM \(table)", "DROP TABLE \(table)",
        "DO 'BEGIN LOCK TABLE \(table) IN SHARE MODE; END'",
      ] {
        try expectRefused(change, shipper)
      }
    }
    try expectRefused("UPDATE gatebook.fleet SET version = 0", shipper)
    try expectRefused("UPDATE gatebook.staging SET position = 0", shipper)
    try expectRefused("COPY gatebook.staging TO STDOUT", shipper)
  }

  @Test func `a shipper sets neither the role nor the transaction of a staged event`() async throws
  {
    let fleet = try await TestFleet()
    let shipper = try fleet.connect(.shipper)
    let event = try StagedEvent(1).statement(fleet)
    for (column, value) in [("shipper", "'lap2'"), ("transaction", "'1'")] {
      let statement = event.replacing("(version,", with: "(\(column), version,")
        .replacing("VALUES (", with: "VALUES (\(value), ")
      try expectRefused(statement, shipper)
      try expectRefused("COPY gatebook.staging (\(column)) FROM STDIN", shipper)
    }
    try expectRefused("COPY gatebook.staging FROM STDIN", shipper)
    try expectRefused("SET SESSION AUTHORIZATION lap2", shipper)
    try expectRefused("SET ROLE lap2", shipper)
    try expectRefused("SET ROLE gatebook_owner", shipper)
  }

  @Test func `a shipper executes no function but those of shipping`() async throws {
    let fleet = try await TestFleet()
    let shipper = try fleet.connect(.shipper)
    let allowed = try fleet.connect().run(
      """
      SELECT proname::text FROM pg_proc WHERE pronamespace = 'gatebook'::regnamespace
        AND has_function_privilege('lap1', oid, 'EXECUTE') ORDER BY 1
      """
    ).map { $0.text(0) }
    #expect(Set(allowed).isSuperset(of: ["accept", "begin_branch", "leaf", "standing"]))
    let known = [
      "accept", "begin_branch", "claim", "leaf", "place", "prepare", "standing", "tidy", "unclaim",
    ]
    #expect(allowed.filter { !known.contains($0) && !$0.hasPrefix("put_") } == [])
    for call in [
      "gatebook.record(gen_random_uuid(), 0, 'fleet.forked', 1, '')",
      "gatebook.take(gen_random_uuid(), 0, 0, 0, 0, '{}', '{}', '{}')", "gatebook.make_part(64)",
      "gatebook.clear_staging()", "gatebook.count_of('{}', 0, 1)",
    ] {
      try expectRefused("SELECT \(call)", shipper)
    }
    // Each of them runs as the owner, so each must say where it looks for names.
    let unfixed = try fleet.rows(
      """
      SELECT proname FROM pg_proc WHERE pronamespace = 'gatebook'::regnamespace AND prosecdef
        AND NOT 'search_path=pg_catalog, gatebook, pg_temp' = ANY (coalesce(proconfig, '{}'))
      """)
    #expect(unfixed.isEmpty)
  }

  @Test func `a shipper makes nothing that the functions would use`() async throws {
    let fleet = try await TestFleet()
    let shipper = try fleet.connect(.shipper)
    for schema in ["gatebook", "gatebook_part", "public"] {
      try expectRefused("CREATE TABLE \(schema).event (a integer)", shipper)
      try expectRefused(
        "CREATE FUNCTION \(schema).sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'", shipper
      )
    }
    try expectRefused("CREATE SCHEMA mine", shipper)
    try expectRefused("CREATE EXTENSION dblink", shipper)
    // Temporary ones can be made, and are not looked at.
    let connection = try fleet.connect(.shipper)
    try connection.run(
      "SELECT gatebook.begin_branch('\(StagedEvent.book)', NULL, 0, 1, NULL, NULL, 0)")
    for script in [
      "CREATE TEMP TABLE branch (book uuid, branch integer, owner text, base bigint, size bigint)",
      "CREATE TEMP TABLE event (book uuid)", "CREATE TEMP TABLE staging (position bigint)",
      "CREATE TEMP TABLE unnest (a integer)",
      """
      CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS
        'SELECT ''\\x00''::bytea'
      """,
      """
      CREATE FUNCTION pg_temp.canonical(bigint, uuid, uuid, bigint, uuid, text, integer, bigint,
        bigint, bytea, bigint, text, bytea) RETURNS bytea LANGUAGE sql AS 'SELECT ''\\x00''::bytea'
      """,
      """
      CREATE FUNCTION pg_temp.is_not_equal(bytea, bytea) RETURNS boolean LANGUAGE sql AS
        'SELECT false'
      """,
      """
      CREATE OPERATOR pg_temp.<> (LEFTARG = bytea, RIGHTARG = bytea,
        FUNCTION = pg_temp.is_not_equal)
      """,
      "SET search_path = pg_temp, gatebook, pg_catalog",
    ] {
      try connection.run(script)
    }
    var wrong = StagedEvent(1)
    wrong.leaf =
      "'\\x00'::bytea || substring('\\x\(String(repeating: "00", count: 31))'::bytea FROM 1)"
    for (event, verdict) in [(wrong, "(leaf,1)"), (StagedEvent(1), "(taken,0)")] {
      try fleet.stage([event], connection)
      #expect(try fleet.accept(upTo: 1, connection) == verdict)
      try connection.run("COMMIT")
    }
    #expect(try fleet.rows("SELECT position FROM gatebook.event") == ["(1)"])
  }

  @Test func `an auditor reads, and sends nothing`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book)
    let auditor = try fleet.connect(.auditor)
    #expect(try auditor.run("SELECT 1 FROM gatebook.event").count == 14)
    for statement in [
      "INSERT INTO gatebook.staging (position) VALUES (1)", "DELETE FROM gatebook.event",
      "UPDATE gatebook.branch SET owner = 'auditor1'", "SELECT * FROM gatebook.staging",
      "SELECT gatebook.leaf('\(StagedEvent.book)', 0, 1)",
    ] {
      let failure = #expect(throws: PostgresFailure.self, "\(statement)") {
        try auditor.postgres.run(statement)
      }
      #expect(failure?.state == "42501", "\(statement)")
    }
  }

  @Test func `a role that a policy restricts reads no other book, not even in a part`() async throws
  {
    let fleet = try await TestFleet()
    let (own, other) = (
      try await TestBook.written(events: 5), try await TestBook.written(events: 5)
    )
    try await fleet.ship(own)
    try await fleet.ship(other)
    for table in ["branch", "event", "state", "tally", "total"] {
      try fleet.run(
        """
        CREATE POLICY desk ON gatebook.\(table) AS RESTRICTIVE FOR SELECT TO auditor1
        USING (book = '\(try own.reader().id)')
        """)
    }
    let auditor = try fleet.connect(.auditor)
    #expect(try auditor.run("SELECT DISTINCT book FROM gatebook.event").count == 1)
    let part = try fleet.value("SELECT gatebook.part_of('\(try other.reader().id)')") ?? ""
    try expectRefused("SELECT * FROM gatebook_part.event_\(part)", auditor)
    let books = try await FleetReader(try fleet.access(.auditor)).books()
    #expect(books.map(\.id) == [try own.reader().id])
  }
}
