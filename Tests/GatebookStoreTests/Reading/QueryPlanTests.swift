import GatebookEvents
import Testing

@testable import GatebookStore

/// One index more or less, or statistics, can make a query a hundred times slower: the plans are
/// pinned.
@Suite struct QueryPlanTests {
  private static let names = [
    "SEARCH k USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH w USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH a USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    "SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
  ]
  private static let account = [
    "SCALAR SUBQUERY 1", "SEARCH account USING COVERING INDEX sqlite_autoindex_account_1 (id=?)",
  ]

  private func plan(_ change: (inout EventFilter) -> Void) async throws -> [String] {
    let reader = try await TestBook.written(events: 3).sealedReader()
    var filter = EventFilter()
    change(&filter)
    let plans = try QueryPlan.of(reader.connection) { _ = try reader.events(filter) }
    return try #require(plans.first)
  }

  @Test func `the newest events come from the end of the table`() async throws {
    #expect(try await plan { $0.limit = 5 } == ["SCAN e"] + Self.names)
  }

  @Test func `the events after a position begin there`() async throws {
    #expect(
      try await plan { $0.after = Position(rawValue: 3) }
        == ["SEARCH e USING INTEGER PRIMARY KEY (rowid>?)"] + Self.names)
  }

  @Test func `the newest events of an account come from its stream, without a sort`() async throws {
    let stream = ["SEARCH e USING INDEX event_stream (account=?)"] + Self.account + Self.names
    #expect(
      try await plan {
        $0.account = TestBook.ada
        $0.limit = 5
      } == stream)
    #expect(
      try await plan {
        $0.account = TestBook.ada
        $0.after = Position(rawValue: 3)
      } == stream)
  }

  @Test func `events by kind and time are looked for in blocks, then in the parts that fit`()
    async throws
  {
    let reader = try await RollupBook.make(events: 600).sealedReader()
    var filter = EventFilter()
    filter.kind = "login.failed"
    filter.limit = 5
    let plans = try QueryPlan.of(reader.connection) { _ = try reader.events(filter) }
    #expect(
      plans.contains([
        "SEARCH block USING PRIMARY KEY (level=? AND number>? AND number<?)"
      ]))
    #expect(
      plans.joined().contains("SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"))
    #expect(!plans.joined().contains { $0.contains("TEMP B-TREE") })
  }

  @Test func `counters are read by their key`() async throws {
    let reader = try await RollupBook.make(events: 600).sealedReader()
    let plans = try QueryPlan.of(reader.connection) { _ = try reader.tally() }
    #expect(
      plans.contains(["SEARCH tally USING PRIMARY KEY (part=? AND number>? AND number<?)"]))
    #expect(plans.joined().contains("SEARCH event USING INTEGER PRIMARY KEY (rowid>?)"))
    #expect(!plans.joined().contains { $0.hasPrefix("SCAN event") })
  }

  @Test func `one event is one lookup`() async throws {
    let reader = try await TestBook.written(events: 3).sealedReader()
    let plans = try QueryPlan.of(reader.connection) {
      _ = try reader.event(at: Position(rawValue: 3))
    }
    #expect(plans == [["SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"] + Self.names])
  }

  @Test func `the present of an account reads its rows alone`() async throws {
    let reader = try await TestBook.written(events: 3).sealedReader()
    let plans = try QueryPlan.of(reader.connection) { _ = try reader.context(of: TestBook.ada) }
    for line in plans.joined() {
      #expect(line.hasPrefix("SEARCH"), "\(line)")
    }
    #expect(plans.count == 4, "its state, the roster, its person, its attributes")
  }

  @Test func `the past of an account reads its stream alone`() async throws {
    let reader = try await TestBook.written(events: 3).sealedReader()
    let plans = try QueryPlan.of(reader.connection) {
      _ = try reader.context(of: TestBook.ada, asOf: Position(rawValue: 9))
    }
    #expect(
      plans.contains(
        ["SEARCH event USING INDEX event_stream (account=? AND revision>?)"] + Self.account))
    #expect(
      plans.contains([
        "SEARCH a USING COVERING INDEX sqlite_autoindex_account_1 (id=?)",
        "SEARCH s USING INDEX snapshot_of_account (account=? AND position<?)",
      ]))
    #expect(
      plans.contains(["SEARCH snapshot USING INDEX snapshot_of_account (account=? AND position<?)"])
    )
    #expect(!plans.joined().contains { $0.contains("TEMP B-TREE") })
  }

  @Test func `a fold of the whole book reads the table once, in its order`() async throws {
    let reader = try await TestBook.written(events: 3).sealedReader()
    let plans = try QueryPlan.of(reader.connection) { _ = try reader.foldLog() }
    #expect(
      plans.joined().filter { $0.contains(" event") }
        == ["SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"])
    #expect(!plans.joined().contains { $0.contains("TEMP B-TREE") })
  }

  @Test func `a secret is one lookup`() async throws {
    let reader = try await TestBook.written(events: 3).reader()
    let plans = try QueryPlan.of(reader.connection) {
      _ = try reader.secret(of: TestBook.ada, purpose: "session")
    }
    #expect(
      plans == [
        [
          "SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)",
          "SEARCH v USING PRIMARY KEY (account=? AND purpose=?)",
        ]
      ])
  }
}
