import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet whose books lie on several servers.
@Suite struct ForgetShardsTests {
  private func forget(
    _ fleet: ShardedFleet, before moment: Timestamp
  ) async throws(GatebookError) -> ForgettingReport {
    let forgetting = FleetForgetting(at: try fleet.access(fleet.coordinator))
    return try await forgetting.forget(try await forgetting.plan(before: moment))
  }

  private func expectVerified(
    _ fleet: ShardedFleet, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let verdict = try await FleetVerifier(try fleet.access(fleet.coordinator)).verify()
    let problems = verdict.histories.flatMap(\.problems)
    #expect(verdict.ok, "\(problems)", sourceLocation: sourceLocation)
    #expect(
      verdict.histories.allSatisfy { $0.forgotten > 0 }, sourceLocation: sourceLocation)
  }

  @Test func `events of all servers are forgotten, and shippers continue`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    var books: [TestBook] = []
    while Set(try books.map { try fleet.part(of: $0) % 2 }).count < 2 {
      books.append(try await TestBook.written(events: 200))
    }
    for book in books { try await fleet.ship(book) }
    let moment = try books[0].moment(of: 150)
    let report = try await forget(fleet, before: moment)
    #expect(report.ok)
    #expect(report.forgotten.count == books.count)
    try await expectVerified(fleet)
    for book in books {
      #expect(
        try fleet.value(
          "SELECT min(position) FROM gatebook.event WHERE book = '\(book.id)'")
          == "\(book.end(before: moment) + 1)")
      try await book.grow(by: 20)
      try await fleet.ship(book)
      try await book.grow(by: 20)
      try await fleet.ship(book, isDirect: true)
    }
    try await expectVerified(fleet)
    let folder = try TestFolder()
    for book in books {
      let id = try book.id.description
      let path = folder.file(id)
      _ = try await FleetPull(from: try fleet.access(fleet.coordinator)).pull(id, to: path)
      #expect(try await BookVerifier(path: path).verify().ok)
    }
  }

  @Test func `events that are forgotten while their part moves do not arrive there`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 300)
    try await fleet.ship(book)
    let shards = FleetShards(of: try fleet.access(fleet.coordinator))
    let name = try await shards.add(try fleet.access(fleet.servers[2]))
    let moment = try book.moment(of: 250)
    let line = [
      "fleet", "forget", "--before", moment.description, "--yes", "--json", "--fleet",
      fleet.url(.admin),
    ]
    let endings = Locked<[GatebookProcess.Ending]>([])
    _ = try await shards.move(
      [fleet.part(of: book)], to: name, reaching: fleet.accesses
    ) { _, _, _, what in
      // Once between the two copies, and once while the part is closed.
      guard what.hasPrefix("closing") || what.hasPrefix("copying the rest") else { return }
      let ending = try? GatebookProcess.run(line)
      endings.withLock { $0 += ending.map { [$0] } ?? [] }
    }
    let all = endings.withLock { $0 }
    #expect(all.map(\.exit) == [0, 0], "\(all.map(\.errors))")
    #expect(all.first?.output.contains("\"forgotten\":") == true)
    try await expectVerified(fleet)
    let later = try book.moment(of: 300)
    #expect(try await forget(fleet, before: later).forgotten.count == 1)
    try await expectVerified(fleet)
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try await expectVerified(fleet)
  }

  @Test func `a part that is closed keeps its events for now`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 200)
    try await fleet.ship(book)
    let close =
      "UPDATE gatebook.part SET state = 'closed' WHERE number = \(try fleet.part(of: book))"
    let access = try fleet.access(fleet.coordinator)
    try FleetConnection(access.address, access.connect()).run(close)
    let report = try await forget(fleet, before: book.moment(of: 150))
    #expect(report.forgotten.isEmpty)
    #expect(report.kept.map(\.reason) == [.moving])
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "209")
  }

  @Test func `an older fleet on many servers is brought up to date`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 200)
    try await fleet.ship(book)
    for server in [fleet.coordinator] + fleet.servers.prefix(2) {
      let access = try fleet.access(server)
      try FleetConnection(access.address, access.connect()).talk {
        (postgres) throws(PostgresFailure) in
        try postgres.runScript(
          """
          DROP FUNCTION gatebook.forget, gatebook.is_shared;
          DO $do$ DECLARE named text; BEGIN
            FOR named IN SELECT name FROM gatebook.partitioned LOOP
              EXECUTE format('DROP POLICY auditor ON gatebook.%I', named);
            END LOOP;
          END $do$;
          UPDATE gatebook.fleet SET version = 3;
          """)
      }
    }
    let shards = try fleet.servers.prefix(2).map { try fleet.access($0) }
    let schema = try await FleetShards(of: try fleet.access(fleet.coordinator)).create(on: shards)
    #expect(schema.former == 3)
    #expect(try await forget(fleet, before: book.moment(of: 150)).forgotten.count == 1)
    try await book.grow(by: 5)
    try await fleet.ship(book, isDirect: true)
    try await expectVerified(fleet)
  }
}
