import Gatebook
import GatebookStore
import GatebookSystem
import Testing

@testable import GatebookFleet

@Suite struct PulledBookTests {
  @Test func `nobody writes to a pulled book`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    try await stage.pull()
    let before = try #require(Files.content(of: stage.path))
    let path = stage.path
    let error = await expect(.storageReadOnly) { () throws(GatebookError) in
      _ = try await EventStore.open(
        at: path, key: book.key, program: TestBook.program, clock: book.clock,
        random: SystemRandom(), wait: .zero)
    }
    #expect(error?.message.hasPrefix("No key belongs to this copy") == true)
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try BookReader.open(at: path, key: book.key)
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookRecovery(path: path, program: TestBook.program).recover(to: path + "-new")
    }
    for words in [
      ["refresh"], ["backup", path + "-copy"], ["archive", "-o", path + "-past"], ["rebuild"],
    ] {
      let ending = try GatebookProcess.run(
        words + ["--book", path, "--key", "file:\(book.keyPath)"])
      #expect(ending.exit == 7, "\(words) \(ending.errors)")
    }
    #expect(try #require(Files.content(of: path)) == before)
    #expect(try BookReader.open(at: path).isPulled())
    #expect(try !book.reader().isPulled())
  }

  @Test func `nothing of the book's keys and secrets is in a pulled book`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    try await stage.pull()
    for table in ["account_lookup", "vault", "attempt", "document", "copy", "unwiped"] {
      #expect(try Self.value("SELECT count(*) FROM \(table)", stage.path) == "0")
    }
    #expect(
      try Self.value("SELECT group_concat(DISTINCT hex(key)) FROM account", stage.path) == "00")
    #expect(
      try Self.value("SELECT key_source || key_description FROM book", stage.path) == "none{}")
    let copied = try #require(Files.content(of: stage.path))
    let keys = try Self.value("SELECT group_concat(hex(key)) FROM account", book.path)
    for key in keys.split(separator: ",") {
      let bytes = try #require(Self.bytes(key))
      #expect(copied.firstRange(of: bytes) == nil)
    }
  }

  @Test func `doctor finds nothing wrong with a pulled book`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await book.append(.erasing(TestBook.bob))
    try await stage.fleet.ship(book)
    try await stage.pull()
    let ending = try GatebookProcess.run(["doctor", "--book", stage.path])
    #expect(ending.output.contains("No key belongs to this copy"), "\(ending.output)")
    #expect(!ending.output.contains("account keys"))
    #expect(!ending.output.contains("bad   "))
  }

  /// Books of different pasts.
  enum Past: CaseIterable {
    case whole, archived, continued, recovered, oddProgram

    /// Makes one.
    ///
    /// - Returns: Its file, and the book with its key.
    func make() async throws -> (path: String, book: TestBook) {
      let book = try await TestBook.written(events: 700)
      switch self {
      case .whole: break
      case .archived: _ = try await book.archive()
      case .continued: try book.putAway(try await book.archive())
      case .recovered:
        try book.tamper(
          "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE position BETWEEN 400 AND 420"
        )
        let path = book.folder.file("recovered")
        _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
        return (path, book)
      case .oddProgram:
        let program = Program(
          name: "ma\u{0}il", version: "\u{0}", installation: InstallationID(high: 9, low: 9))
        try await book.append(.note("odd"), by: program)
      }
      try await book.grow(by: 30)
      return (book.path, book)
    }
  }

  @Test(arguments: Past.allCases)
  func `the second verifier agrees with a pulled book`(_ past: Past) async throws {
    let stage = try await PullStage()
    let (path, book) = try await past.make()
    try await BookShipment(of: path, key: book.key, to: try stage.fleet.access()).ship()
    let report = try await stage.pull()
    let output = stage.folder.file("output")
    let file = try #require(OpenFile.open(output, .new))
    let process = try #require(
      ChildProcess(
        FleetTool.folder + "/verify-book", ["verify-book", stage.path],
        environment: ["PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"],
        streams: [.nothing, .descriptor(file.descriptor), .inherited]))
    #expect(process.wait()?.code == 0, "\(Files.text(of: output))")
    #expect(Files.text(of: output).contains(report.root))
  }

  @Test func `why and show ask the fleet and leave nothing`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    let before = Self.copies()
    let ada = TestBook.ada.description
    for question in [
      ["why", ada], ["show", ada], ["why", "12"], ["show", "12"],
      ["show", ada, "--as-of", "2026-01-03"],
    ] {
      let own = try GatebookProcess.run(
        question + ["--json", "--book", book.path, "--key", "none"])
      let asked = try stage.run(
        [question[0], "--book", "laptop", "--json"] + question.dropFirst())
      #expect(asked.exit == 0, "\(question) \(asked.errors)")
      #expect(own.output == asked.output, "\(question)")
    }
    let missing = try stage.run(["show", "--book", "laptop", "100000"])
    #expect(missing.exit == 2, "\(missing.errors)")
    // Another test may ask just now: its copy goes too.
    let after = Self.copies().subtracting(before)
    try await wait(for: "end of \(after)") { Self.copies().isDisjoint(with: after) }
  }

  /// The folders of copies that commands read just now, or left.
  private static func copies() -> Set<String> {
    Set(Files.names(in: "/tmp").filter { $0.hasPrefix("gatebook-pulled-") })
  }

  @Test func `a report of a book in the fleet is that of the book`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    let page = stage.folder.file("page.html")
    let ending = try stage.run(
      ["report", "--book", "laptop", "--since", "2026-01-02", "-o", page])
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(Files.text(of: page).contains("\(try book.reader().head().root)"))
    #expect(try stage.run(["report", "--book", "tablet", "-o", page]).exit == 2)
  }

  @Test func `the command says what it pulled`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    let ending = try stage.run(["pull", "laptop", "-o", stage.path, "--json"])
    #expect(ending.exit == 0, "\(ending.errors)")
    let (size, root) = try book.reader().head()
    let id = try book.reader().id
    #expect(
      ending.output
        == "{\"book\":\"\(id)\",\"branch\":0,\"machine\":\"laptop\",\"file\":\"\(stage.path)\","
        + "\"events\":\(size),\"first\":1,\"size\":\(size),\"root\":\"\(root)\",\"signed\":true}\n")
  }

  private static func value(_ query: String, _ path: String) throws -> String {
    let folder = try TestFolder()
    let file = try #require(OpenFile.open(folder.file("output"), .new))
    let process = try #require(
      ChildProcess(
        "/usr/bin/sqlite3", ["sqlite3", "-readonly", path, query], environment: [],
        streams: [.nothing, .descriptor(file.descriptor), .inherited]))
    #expect(process.wait()?.code == 0)
    return String(Files.text(of: folder.file("output")).dropLast())
  }

  private static func bytes(_ hex: some StringProtocol) -> [UInt8]? {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0
    }
  }
}
