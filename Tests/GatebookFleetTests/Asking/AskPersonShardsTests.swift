import Gatebook
import GatebookTestSupport
import Testing

@testable import GatebookFleet

struct AskPersonShardsTests {
  private func options(_ machine: String, _ digit: String = "a") throws -> ShipmentOptions {
    ShipmentOptions(machine: machine, pseudonymKey: try PersonFleet.key(digit))
  }

  @Test func `a person is found on all servers of a fleet, and so is what happens to them`()
    async throws
  {
    let fleet = try await ShardedFleet.onSharedServer()
    let access = try fleet.access(fleet.coordinator, .shipper)
    var parts: [Int] = []
    for number in 1... {
      let book = try await TestBook.of((TestBook.ada, "ada"), (TestBook.bob, "bob \(number)"))
      book.clock.advance(by: .seconds(9000 + number))
      try await book.append(.attempt(TestBook.ada))
      try await BookShipment(
        of: book.path, key: book.key, to: access, options: try options("lap\(number)")
      ).ship()
      parts.append(try fleet.part(of: book) % 2)
      if number >= 3, Set(parts).count == 2 { break }
    }
    let reader = FleetReader(try fleet.access(fleet.coordinator))
    let scope = FleetScope(person: FleetPerson("ada", try PersonFleet.key()))
    #expect(try await reader.reach(scope)?.accounts == parts.count)
    #expect(
      try await reader.statistics(scope, at: Timestamp(rawValue: 0)).tally[.loginFailed]
        == Int64(parts.count))
    let found = try await reader.findings(at: Timestamp(rawValue: 1_800_000_000_000_000))
    let guessed = try #require(found.findings.first { $0.rule == "person.guessed" })
    #expect(guessed.books == parts.count)
    #expect(guessed.places.allSatisfy { $0.account == TestBook.ada })
  }

  @Test func `who ships straight to a shard uses the key of the fleet`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let access = try fleet.access(fleet.coordinator, .shipper)
    let book = try await TestBook.of((TestBook.ada, "ada"))
    var direct = try options("lap1")
    direct.isDirect = true
    try await BookShipment(of: book.path, key: book.key, to: access, options: direct).ship()
    #expect(try fleet.value("SELECT count(*) FROM gatebook.pseudonym") != "0")
    let reader = FleetReader(try fleet.access(fleet.coordinator))
    let person = FleetPerson("ada", try PersonFleet.key())
    #expect(try await reader.reach(FleetScope(person: person))?.accounts == 1)
    let other = try await TestBook.of((TestBook.ada, "ada"))
    for isDirect in [true, false] {
      var wrong = try options("lap2", "b")
      wrong.isDirect = isDirect
      let shipment = BookShipment(of: other.path, key: other.key, to: access, options: wrong)
      await expect(.fleetPseudonyms) { () async throws(GatebookError) in
        _ = try await shipment.ship()
      }
    }
    #expect(try await reader.reach(FleetScope(person: person))?.accounts == 1)
  }

  @Test func `each server joins and sums up its own parts`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let access = try fleet.access(fleet.coordinator)
    let connection = FleetConnection(access.address, try access.connect())
    try connection.beginReading()
    let selection = try FleetSelection(FleetScope(), connection)
    let plan = { (sql: String, conditions: FleetConditions) throws(GatebookError) -> String in
      try connection.partByPart { () throws(GatebookError) in
        try connection.run("EXPLAIN (VERBOSE) \(sql)", conditions).map { $0.text(0) }
      }.joined(separator: "\n")
    }
    let (names, nameConditions) = SharedPersons.question(selection, inAtLeast: 3)
    #expect(try plan(names, nameConditions).contains(/Remote SQL: SELECT .* GROUP BY/))
    let accounts = ChosenAccounts([
      BookID(high: 1, low: 1): [TestBook.ada], BookID(high: 2, low: 2): [TestBook.bob],
    ])
    let (events, eventConditions) = PersonFindings(
      selection: selection, filter: FleetFindingFilter(), connection: connection
    ).question(accounts, since: Timestamp(rawValue: 0))
    let joined = try connection.byKeys { () throws(GatebookError) in
      try plan(events, eventConditions)
    }
    #expect(joined.contains(/Remote SQL: SELECT .* LEFT JOIN .* GROUP BY/), "\(joined)")
  }
}
