import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// Words of a command line and of an app that would do harm in a statement.
@Suite struct InjectionTests {
  static let texts = [
    "'; DROP SCHEMA gatebook CASCADE; --", "\"; DROP SCHEMA gatebook CASCADE; --",
    "$$; DROP SCHEMA gatebook CASCADE; -- \\'?%", "gatebook_shipper",
    String(repeating: "x'", count: 5000),
  ]

  /// One fleet with a book for all tests that change nothing.
  private static let shipped = Task { () async throws -> TestFleet in
    let fleet = try await TestFleet()
    try await fleet.ship(try await TestBook.written(events: 5))
    return fleet
  }

  /// What a fleet consists of: its tables, functions and rights, and how many events it has.
  private func shape(_ fleet: TestFleet) throws -> [String] {
    try fleet.rows(
      """
      SELECT relname::text, coalesce(relacl::text, '') FROM pg_class
        WHERE relnamespace IN ('gatebook'::regnamespace, 'gatebook_part'::regnamespace)
      UNION ALL SELECT oid::regprocedure::text, coalesce(proacl::text, '') FROM pg_proc
        WHERE pronamespace = 'gatebook'::regnamespace
      UNION ALL SELECT 'events', count(*)::text FROM gatebook.event
      UNION ALL SELECT owner, machine FROM gatebook.branch ORDER BY 1, 2
      """)
  }

  @Test(arguments: texts)
  func `no word of a command reaches a statement`(_ text: String) async throws {
    let fleet = try await Self.shipped.value
    let before = try shape(fleet)
    let folder = try TestFolder()
    let (auditor, admin) = (fleet.url(.auditor), fleet.url(.admin))
    let lines: [(exits: Set<Int32>, line: [String])] = [
      ([1], ["verify", "--book=\(text)", "--fleet", auditor]),
      ([2], ["verify", "--branch=\(text)", "--fleet", auditor]),
      ([2], ["pull", "-o", folder.file("pulled"), "--fleet", auditor, "--", text]),
      ([2], ["why", "--book=\(text)", "--fleet", auditor]),
      ([2], ["show", "--book=\(text)", "--fleet", auditor]),
      ([2], ["show", "--book=laptop", "--fleet", auditor, "--", text]),
      ([1, 2], ["grant", "--to", "lap2", "--fleet", admin, "--", text]),
      ([1, 2], ["grant", "laptop", "--to=\(text)", "--fleet", admin]),
      ([1, 2], ["shards", "move", "--server=\(text)", "--fleet", admin]),
      ([2], ["shards", "move", "--server=coordinator", "--part=\(text)", "--fleet", admin]),
      ([1, 2], ["shards", "move", "--server=x", "--as=\(text)", "--fleet", admin]),
      ([2], ["shards", "add", "--fleet", admin, "--", text]),
      ([2], ["init", "--shards=\(text)", "--", admin]),
      ([2], ["books", "--fleet=\(text)"]),
    ]
    for (exits, line) in lines {
      let ending = try GatebookProcess.run(["fleet"] + line)
      #expect(exits.contains(ending.exit), "\(line.prefix(4)): \(ending.exit) \(ending.errors)")
      #expect(ending.output.isEmpty, "\(line.prefix(4)): \(ending.output)")
      #expect(!ending.errors.contains("did not accept"), "\(line.prefix(4)): \(ending.errors)")
    }
    #expect(try shape(fleet) == before)
  }

  @Test(arguments: texts)
  func `no part of a URL reaches a statement`(_ text: String) async throws {
    let fleet = try await Self.shipped.value
    let before = try shape(fleet)
    let encoded = Self.encoded(text)
    let place = "127.0.0.1:\(fleet.server.port)"
    for url in [
      "postgresql://\(encoded)@\(place)/\(fleet.database)?passfile=\(fleet.server.passfile)",
      "postgresql://auditor1@\(place)/\(encoded)?passfile=\(fleet.server.passfile)",
      "postgresql://auditor1@\(place)/\(fleet.database)?passfile=\(encoded)",
      "postgresql:///?service=\(encoded)", "postgresql://auditor1@\(encoded)/\(fleet.database)",
    ] {
      let ending = try GatebookProcess.run(["fleet", "books", "--fleet", url])
      #expect((1...8).contains(ending.exit), "\(url): \(ending.exit) \(ending.errors)")
      #expect(ending.output.isEmpty, "\(url): \(ending.output)")
      #expect(!ending.errors.contains("inside Gatebook"), "\(ending.errors)")
    }
    #expect(try shape(fleet) == before)
  }

  @Test(arguments: texts + ["lap\u{0}top", "\u{0}"])
  func `no name that an app gives reaches a statement`(_ text: String) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book)
    let before = try shape(fleet)
    let access = try fleet.access(.auditor)
    let reader = FleetReader(access)
    let folder = try TestFolder()
    for scope in [FleetScope(book: text), FleetScope(account: text)] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await reader.tallyByBook(scope)
      }
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      try await reader.log(FleetScope(), FleetLogFilter(kinds: [text])) { _ in true }
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetVerifier(access).verify(book: text)
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetPull(from: access).pull(text, to: folder.file("pulled"))
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetOwnership.grant(text, to: "lap2", at: try fleet.access(.admin))
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetOwnership.grant("laptop", to: text, at: try fleet.access(.admin))
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetShards(of: try fleet.access(.admin)).move(
        [0], to: text, reaching: [:]
      ) { _, _, _, _ in }
    }
    #expect(try shape(fleet) == before)
    // The name of a machine is kept as it is.
    try await fleet.ship(book, options: ShipmentOptions(machine: text))
    let name = text.replacing("\u{0}", with: "")
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == name)
    #expect(try await reader.books().map(\.machine) == [name])
    if name == text { #expect(try await reader.books(FleetScope(book: text)).count == 1) }
    try fleet.expectHas(book)
  }

  // The fleets of all tests have one id, and so one role on a server that is a shard of theirs.
  @Test(.serialized, arguments: texts.dropLast())
  func `a shard's database may have any name`(_ text: String) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book)
    let server = fleet.server
    let name = "\(fleet.database) \(text)"
    let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
    try server.run("CREATE DATABASE \(quoted)")
    defer { try? server.run("DROP DATABASE \(quoted) WITH (FORCE)") }
    let encoded = Self.encoded(name)
    let shard = server.url(.admin, encoded)
    let added = try GatebookProcess.run(
      ["fleet", "shards", "add", shard, "--fleet", fleet.url(.admin)])
    #expect(added.exit == 0, "\(added.errors)")
    let part = try fleet.value("SELECT gatebook.part_of('\(try book.id)')") ?? ""
    let environment = ["PGPASSFILE": server.passfile]
    let moved = try GatebookProcess.run(
      [
        "fleet", "shards", "move", "--server", "shard1", "--part", part, "--fleet",
        fleet.url(.admin),
      ], environment: environment)
    #expect(moved.exit == 0, "\(moved.errors)")
    try await book.grow(by: 5)
    let shipped = try GatebookProcess.run(
      ["ship", "--book", book.path, "--direct", "--to", fleet.url()], environment: environment)
    #expect(shipped.exit == 0, "\(shipped.errors)")
    try fleet.expectHas(book)
    #expect(try await fleet.verify().ok)
    let shards = try GatebookProcess.run(["fleet", "shards", "--fleet", fleet.url(.admin)])
    #expect(shards.output.contains("\(server.port)/\(fleet.database)%20"), "\(shards.output)")
  }

  /// A text as a part of a URL.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
