import Gatebook
import Testing

@testable import GatebookFleet

struct AskPlanTests {
  /// The plan of a statement as an auditor's connection makes it, with the settings of events.
  private func plan(
    _ question: FleetLogQuery.Question, _ connection: FleetConnection
  ) throws -> String {
    try connection.run("EXPLAIN \(question.sql)", question.conditions).map { $0.text(0) }
      .joined(separator: "\n")
  }

  /// The parts of events that a plan reads.
  private func parts(_ plan: String) -> Set<String> {
    Set(plan.matches(of: /on (event_[0-9]+)/).map { String($0.1) })
  }

  /// A fleet of three books, and the query of a question.
  private func query(
    _ scope: FleetScope, _ filter: FleetLogFilter,
    _ body: (FleetLogQuery, FleetConnection) throws -> Void
  ) async throws {
    let fleet = try await TestFleet()
    for number in 1...3 {
      let book = try await TestBook.written(events: 40)
      try await fleet.ship(book, options: ShipmentOptions(machine: "laptop\(number)"))
    }
    let connection = try fleet.connect(.auditor)
    try connection.beginReading()
    try connection.preferKeys()
    try body(
      FleetLogQuery(try FleetSelection(scope, connection), filter, connection), connection)
  }

  @Test func `the newest events of a book are read backwards along the key of one part`()
    async throws
  {
    try await query(FleetScope(book: "laptop2"), FleetLogFilter(limit: 5)) { query, connection in
      let book = try #require(query.selection.only)
      for question in [
        query.start(book, ofLast: 5), query.next(book, after: .start, limit: 5),
      ] {
        let plan = try plan(question, connection)
        #expect(parts(plan).count == 1, "\(plan)")
        #expect(!plan.contains("Seq Scan"), "\(plan)")
        #expect(!plan.contains("Sort"), "\(plan)")
        #expect(plan.contains(/Index (Only )?Scan (Backward )?using event_[0-9]+_pkey/), "\(plan)")
      }
    }
  }

  @Test(arguments: [
    FleetLogFilter(kinds: ["login.succeeded"], since: Timestamp(rawValue: 5), limit: 3),
    FleetLogFilter(limit: 3), FleetLogFilter(failedOnly: true, until: Timestamp(rawValue: .max)),
  ])
  func `events of many books are read along the index of kinds and times`(
    _ filter: FleetLogFilter
  ) async throws {
    try await query(FleetScope(), filter) { query, connection in
      let questions = [
        query.start(ofLast: 3), query.events(of: "login.succeeded", from: nil),
        query.events(of: "login.succeeded", from: Timestamp(rawValue: 7)),
      ]
      for question in questions {
        let plan = try plan(question, connection)
        #expect(parts(plan).count == FleetSchema.parts, "\(plan)")
        #expect(!plan.contains("Seq Scan on event"), "\(plan)")
        #expect(plan.contains(/Index (Only )?Scan (Backward )?using event_[0-9]+_kind_at_idx/))
      }
    }
  }

  @Test func `some books are read in their own parts`() async throws {
    let fleet = try await TestFleet()
    for _ in 1...2 {
      try await fleet.ship(try await TestBook.written(events: 40))
    }
    try await fleet.ship(
      try await TestBook.written(events: 40), options: ShipmentOptions(machine: "other"))
    let connection = try fleet.connect(.auditor)
    try connection.beginReading()
    try connection.preferKeys()
    let query = try FleetLogQuery(
      FleetSelection(FleetScope(book: "laptop"), connection), FleetLogFilter(limit: 2), connection)
    let plan = try plan(query.start(ofLast: 2), connection)
    #expect((1...2).contains(parts(plan).count), "\(plan)")
    #expect(!plan.contains("Seq Scan on event"), "\(plan)")
  }

  @Test func `sessions that time may end are found by their own index`() async throws {
    let fleet = try await TestFleet()
    try await fleet.ship(try await TestBook.written(events: 40))
    let connection = try fleet.connect(.auditor)
    try connection.run("SET enable_seqscan = off")
    try connection.run("SET enable_bitmapscan = off")
    let plan = try connection.run(
      "EXPLAIN SELECT state FROM gatebook.state WHERE gatebook.may_end(part, state)"
    ).map { $0.text(0) }.joined(separator: "\n")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
    #expect(plan.contains("_book_branch_idx"), "\(plan)")
  }
}
