import Gatebook
import Testing

@testable import GatebookFleet

/// Questions to a fleet over many servers while one of them is down.
@Suite(.serialized) struct MissingServerTests {
  /// A fleet with a book on the server that is stopped and two on the other one.
  private struct Stage {
    let fleet: ShardedFleet
    let stopped: FleetServer
    /// The place of the stopped server.
    let place: String
    /// The books on the server that answers.
    let near: [TestBook]
    /// The book on the stopped server.
    let far: TestBook

    /// Ships the books as the machines `near1`, `near2` and `far`.
    init() async throws {
      fleet = try await ShardedFleet()
      stopped = fleet.servers[0]
      place = "127.0.0.1:\(stopped.port)/postgres"
      // The auditor is known to the coordinator alone.
      try fleet.makeRole(.auditor, on: fleet.coordinator)
      var (near, far): ([TestBook], [TestBook]) = ([], [])
      while near.count < 2 || far.isEmpty {
        let book = try await TestBook.written(events: 20)
        // The parts of the first server have even numbers.
        if try fleet.part(of: book) % 2 == 0 { far.append(book) } else { near.append(book) }
      }
      self.near = Array(near.prefix(2))
      self.far = far[0]
      for (index, book) in self.near.enumerated() {
        try await fleet.ship(book, machine: "near\(index + 1)")
      }
      try await fleet.ship(self.far, machine: "far")
    }

    private static let shared = Task { () async throws -> Stage in try await Stage() }

    /// The only stage, whose servers run.
    static func whole() async throws -> Stage {
      let stage = try await shared.value
      for server in stage.fleet.servers { try server.startIfStopped() }
      return stage
    }

    func ask(_ words: [String]) throws -> GatebookProcess.Ending {
      try GatebookProcess.run(
        ["fleet"] + words + ["--fleet", fleet.coordinator.url(.auditor, "postgres")])
    }
  }

  /// Questions about all books, each with lines that name their books.
  private static let questions = [
    ["books"], ["accounts"], ["sessions"], ["log"], ["log", "--failed"],
    ["log", "--limit", "5"], ["stats", "--by", "book"], ["findings"], ["verify"],
    ["accounts", "0000000000000ada"],
  ]

  @Test func `a question about all books has those on the other servers, and ends with 4`()
    async throws
  {
    let stage = try await Stage.whole()
    let far = try stage.far.id.description
    var before: [[String]: [Substring]] = [:]
    for words in Self.questions where !words.contains("--limit") {
      let ending = try stage.ask(words + ["--json"])
      #expect(ending.exit == 0, "\(words): \(ending.errors)")
      before[words] = ending.output.split(separator: "\n").filter { !$0.contains(far) }
    }
    try stage.stopped.stop()
    let parts = (0..<32).map { "\($0 * 2)" }.joined(separator: ",")
    let missing =
      "{\"missing\":[{\"server\":\"shard1\",\"place\":\"\(stage.place)\",\"parts\":[\(parts)],"
      + "\"reason\":\"connection to server at \\\"127.0.0.1\\\", port \(stage.stopped.port) failed: "
      + "Connection refused\"}]}"
    for words in Self.questions {
      let ending = try stage.ask(words + ["--json"])
      #expect(ending.exit == 4, "\(words): \(ending.errors)")
      #expect(ending.errors.contains("\"code\":\"fleet.unreachable\""), "\(words)")
      var lines = ending.output.split(separator: "\n")
      #expect(lines.popLast().map(String.init) == missing, "\(words)")
      if let expected = before[words] { #expect(lines == expected, "\(words)") }
      #expect(!ending.output.contains(far), "\(words)")
      let text = try stage.ask(words)
      #expect(text.exit == 4, "\(words): \(text.errors)")
      #expect(
        text.errors.contains("does not answer: shard1 (\(stage.place)). 32 of the 64 parts"),
        "\(words): \(text.errors)")
      #expect(text.errors.contains("How many it lacks is not known."))
    }
    let figures = try stage.ask(["stats", "--json"])
    #expect(figures.exit == 4)
    #expect(figures.output.contains("\"books\":2,"), "\(figures.output)")
    #expect(figures.output.hasSuffix(missing + "\n"))
    for grouping in ["day", "kind", "program"] {
      #expect(try stage.ask(["stats", "--by", grouping]).exit == 4)
    }
    #expect(try stage.ask(["findings", "--fail"]).exit == 4)
    // What was found counts more than what was not read.
    try stage.fleet.run(
      "UPDATE gatebook.event SET at = at + 1 WHERE position = 7", on: stage.fleet.servers[1])
    let damaged = try stage.ask(["verify"])
    try stage.fleet.run(
      "UPDATE gatebook.event SET at = at - 1 WHERE position = 7", on: stage.fleet.servers[1])
    #expect(damaged.exit == 5)
    #expect(damaged.errors.contains("shard1"), "\(damaged.errors)")
    try stage.stopped.start()
    #expect(try stage.ask(["books"]).exit == 0)
  }

  @Test func `a book on a server that answers is not affected`() async throws {
    let stage = try await Stage.whole()
    let id = try stage.near[1].id.description
    let questions =
      Self.questions + [
        ["stats"], ["log", "--after", "5"], ["sessions", "--as-of", "20"],
        ["stats", "--by", "account"],
        ["why", TestBook.ada.description], ["show", TestBook.ada.description],
      ]
    var before: [[String]: String] = [:]
    for words in questions { before[words] = try stage.ask(words + ["--book", id]).output }
    try stage.stopped.stop()
    for words in questions {
      let whole = try stage.ask(words + ["--book", id])
      #expect(whole.exit == 0, "\(words): \(whole.errors)")
      #expect(whole.output == before[words], "\(words)")
      #expect(!whole.errors.contains("shard1"), "\(words): \(whole.errors)")
      let named = try stage.ask(words + ["--book", "near2"])
      #expect(named.exit == 0, "\(words): \(named.errors)")
      #expect(named.output == before[words], "\(words)")
      let pulls = ["why", "show"].contains(words[0])
      #expect(
        named.errors.contains(
          "shard1 did not answer: another book named near2 there would be missing here.") != pulls,
        "\(words): \(named.errors)")
    }
    let json = try stage.ask(["books", "--book", "near2", "--json"])
    #expect(json.exit == 0)
    #expect(json.output.contains("{\"missing\":[{\"server\":\"shard1\","))
    let folder = try TestFolder()
    let pulled = try stage.ask(["pull", "near2", "-o", folder.file("pulled")])
    #expect(pulled.exit == 0, "\(pulled.errors)")
    _ = try await FleetOwnership.grant(
      "near2", to: "lap1", at: try stage.fleet.access(stage.fleet.coordinator))
    // An app that takes note of it gets what there is; one that does not gets no half answer.
    let access = try stage.fleet.access(stage.fleet.coordinator, .auditor)
    #expect(try await FleetReader(access).books(FleetScope(book: id)).count == 1)
    #expect(try await FleetReader(access).books(FleetScope(book: "near2")).count == 1)
    await expect(.fleetUnreachable) { () throws(GatebookError) in
      _ = try await FleetReader(access).tally()
    }
    #expect(try await FleetVerifier(access).verify().missing.map(\.name) == ["shard1"])
    #expect(try await FleetVerifier(access).verify(book: id).missing.isEmpty)
  }

  @Test func `what may be on a server that is down is not said to be nowhere`() async throws {
    let stage = try await Stage.whole()
    let far = try stage.far.id.description
    try stage.stopped.stop()
    let folder = try TestFolder()
    for words in [
      ["books", "--book", far], ["books", "--book", "far"], ["log", "--book", far],
      ["verify", "--book", far], ["verify", "--book", "far"], ["why", "--book", "far"],
      ["pull", "far", "-o", folder.file("a")], ["pull", far, "-o", folder.file("b")],
      ["accounts", "feedfeed"], ["log", "--kind", "of.somebody"], ["books", "--branch", "7"],
      ["stats", "--book", "far"], ["show", "12"],
    ] {
      let ending = try stage.ask(words)
      #expect(ending.exit == 4, "\(words): \(ending.errors)")
      #expect(ending.output.isEmpty, "\(words): \(ending.output)")
      #expect(ending.errors.contains("shard1"), "\(words): \(ending.errors)")
    }
    // A book that its own server does not have is nowhere.
    let nowhere = try stage.ask(["books", "--book", Self.idOnSecondServer(stage.fleet)])
    #expect(nowhere.exit == 2, "\(nowhere.errors)")
    try stage.fleet.servers[1].stop()
    let none = try stage.ask(["books", "--json"])
    #expect(none.exit == 4)
    #expect(none.output.contains("\"server\":\"shard1\""))
    #expect(none.output.contains("\"server\":\"shard2\""))
    #expect(try stage.ask(["verify"]).exit == 4)
    for server in stage.fleet.servers.prefix(2) { try server.start() }
    #expect(try stage.ask(["books", "--book", "far"]).exit == 0)
    #expect(try stage.ask(["verify"]).exit == 0)
  }

  /// The id of a book that there is not, in a part of the server that answers.
  private static func idOnSecondServer(_ fleet: ShardedFleet) throws -> String {
    let question = """
      SELECT lpad(to_hex(n), 32, '0') FROM generate_series(1, 100) n
      WHERE gatebook.part_of(lpad(to_hex(n), 32, '0')::uuid) % 2 = 1 LIMIT 1
      """
    return try #require(try fleet.value(question))
  }
}
