import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct HostileContentTests {
  private static let texts = [
    "'; DROP TABLE gatebook.event; --", "\"double\" and 'single'", "back\\slash \\' \\\" \\\\",
    "$$ $1 $json$ %s %I ?", "tab\tline\nreturn\r", "zero \u{0} inside", "\u{1}\u{1F}\u{7F}\u{85}",
    "👩‍👩‍👧 \u{202E}left\u{202C} e\u{301} \u{FFFD}\u{10FFFF}", "{\"a\": [1, \"]}\"]}", "\\u0000 \\x00",
    "", "NULL", "\\N", "\\.",
  ]

  @Test func `hostile facts arrive as they are`() async throws {
    let fleet = try await TestFleet()
    let book = try TestBook()
    try await book.append(.login(TestBook.ada))
    for text in Self.texts {
      try await book.append(
        Append([
          ProposedEvent(
            .cookiesChanged, account: TestBook.ada,
            data: ["text": .text(text), "list": .list([.text(text), .object([text: 1])])],
            personal: ["note": .text(text)])
        ]))
    }
    try await fleet.ship(book)
    try fleet.expectHas(book)
    try expectSameFacts(book, fleet)
  }

  /// Byte for byte.
  private func expectSameFacts(_ book: TestBook, _ fleet: TestFleet) throws {
    var own: [[UInt8]] = []
    try book.reader().scanForShipping(after: 0, upTo: .max, ShippedNames()) { event in
      own.append(
        event.kind + [0] + Array(event.data) + [0]
          + Array(event.sealed ?? .init(start: nil, count: 0)))
      return true
    }
    let stored = try fleet.connect().run(
      "SELECT kind, data, sealed FROM gatebook.event ORDER BY position"
    ).map { $0.bytes(0) + [0] + $0.bytes(1) + [0] + $0.bytes(2) }
    #expect(stored == own)
  }

  @Test func `facts of several megabytes arrive`() async throws {
    let fleet = try await TestFleet()
    let book = try TestBook()
    try await book.append(.login(TestBook.ada))
    for size in [1 << 20, 5 << 20] {
      try await book.append(
        Append([
          ProposedEvent(
            .cookiesChanged, account: TestBook.ada,
            data: ["text": .text(String(repeating: "'\\", count: size / 2))],
            personal: ["note": .text(String(repeating: "ä", count: size / 2))])
        ]))
    }
    try await fleet.ship(book)
    try fleet.expectHas(book)
    try expectSameFacts(book, fleet)
  }

  @Test(arguments: texts.indices)
  func `hostile names of programs and machines arrive as they are`(_ index: Int) async throws {
    let text = Self.texts[index]
    let fleet = try await TestFleet()
    let book = try TestBook()
    let program = Program(
      name: text, version: text, installation: InstallationID(high: .max, low: .max))
    try await book.append(.login(TestBook.ada), by: program)
    #expect(try await BookVerifier(path: book.path).verify().ok)
    try await book.append(.note("b"))
    try await fleet.ship(book, options: ShipmentOptions(machine: text))
    try fleet.expectHas(book)
    let programs = try fleet.connect().run("SELECT name, version FROM gatebook.program ORDER BY 1")
      .map { "\($0.text(0)) \($0.text(1))" }
    // Text of PostgreSQL cannot hold U+0000; what the hashes cover is beside it.
    let shown = text.replacing("\u{0}", with: "")
    #expect(programs.sorted() == ["\(shown) \(shown)", "mail 2.1"].sorted())
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == shown)
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    let folder = try TestFolder()
    let pull = FleetPull(from: try fleet.access(.auditor))
    _ = try await pull.pull(nil, to: folder.file("pulled"))
    let pulled = try BookReader.open(at: folder.file("pulled"))
    #expect(try pulled.events(EventFilter()) == book.reader(hasKey: false).events(EventFilter()))
  }

  @Test func `a machine's name with a zero is sent without it`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book, options: ShipmentOptions(machine: "lap\u{0}top"))
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == "laptop")
  }

  @Test func `a command takes hostile names of machines and files`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    let name = "'); DROP SCHEMA gatebook CASCADE; -- \" \\ \u{1B}[31m"
    let ending = try GatebookProcess.run(
      ["ship", "--book", book.path, "--to", fleet.url(), "--name", name])
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == name)
    try fleet.expectHas(book)
    let hostile = try GatebookProcess.run(
      ["ship", "--book", book.path, "--to", "postgresql://lap1@h%1B%5B31m.invalid/x'%1B"])
    #expect(!(hostile.errors + hostile.output).contains("\u{1B}"))
  }

  /// Kinds that no version of Gatebook knows, sent by hand.
  @Test(arguments: ["'; DROP TABLE x; --", "a\"b\\c", "👩‍👩‍👧", String(repeating: "k", count: 60_000)])
  func `a hostile kind arrives as it is`(_ kind: String) async throws {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    var event = StagedEvent(1, data: "{\"a\":\"\\u0000\"}")
    event.kind = kind.replacing("'", with: "''")
    #expect(try fleet.accept([event], upTo: 1) == "(taken,0)")
    let stored = try fleet.connect().run("SELECT kind, data FROM gatebook.event").first
    #expect(stored?.text(0) == kind)
    #expect(stored?.text(1) == "{\"a\":\"\\u0000\"}")
    #expect(try fleet.connect().run("SELECT kind FROM gatebook.tally").first?.text(0) == kind)
  }
}
