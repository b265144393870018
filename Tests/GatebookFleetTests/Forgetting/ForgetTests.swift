import Gatebook
import GatebookStore
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

@Suite struct ForgetTests {
  private func shipped(
    events: Int = 600
  ) async throws -> (stage: PullStage, book: TestBook) {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: events)
    try await stage.fleet.ship(book)
    return (stage, book)
  }

  @Test func `old events are gone, and the rest is proven as before`() async throws {
    let (stage, book) = try await shipped()
    let before = try await stage.fleet.verify()
    let end = try await stage.fleet.forget(book, before: 300)
    #expect((256...299).contains(end))
    let after = try await stage.fleet.expectVerified(forgotten: [end])
    let size = try book.reader().head().size
    #expect(after.histories.map(\.events) == [size - end])
    #expect(after.histories.map(\.root) == before.histories.map(\.root))
    #expect(after.histories.map(\.covered) == [Position(rawValue: size)])
    #expect(
      try stage.fleet.rows("SELECT first, forgotten, floor FROM gatebook.branch") == [
        "(\(end + 1),\(end),0)"
      ])
    // A second time: nothing is left that is old enough.
    #expect(try await stage.fleet.forget(before: book.moment(of: 300)) == ForgettingReport())
    let later = try await stage.fleet.forget(book, before: 500)
    try await stage.fleet.expectVerified(forgotten: [later])
  }

  @Test func `time is no order: an old event after a newer one stays`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let moment = book.clock.now().wall
    try await book.append(.note("newer"))
    book.clock.jump(by: .seconds(-20_000))
    try await book.append(.note("older"))
    try await fleet.ship(book)
    #expect(try book.moment(of: 111) < moment)
    let report = try await fleet.forget(before: moment + .microseconds(-1))
    // Events of the last turn of the clock stay, too.
    let end = try book.end(before: moment + .microseconds(-1))
    #expect(report.forgotten.map(\.last.rawValue) == [end])
    #expect(end < 109)
    #expect(try fleet.events() == Array(end + 1...111))
    try await fleet.expectVerified(forgotten: [end])
  }

  @Test func `a pulled book begins after what was forgotten`() async throws {
    let (stage, book) = try await shipped()
    let end = try await stage.fleet.forget(book, before: 300)
    let report = try await stage.pull()
    let (size, root) = try book.reader().head()
    #expect(report.first == Position(rawValue: end + 1))
    #expect(report.events == size - end)
    #expect(report.root == root)
    #expect(report.isSigned)
    let verdict = try await BookVerifier(path: stage.path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.continuation?.isForgotten == true)
    let pulled = try BookReader.open(at: stage.path)
    let own = try book.reader(hasKey: false)
    #expect(try pulled.accounts() == own.accounts())
    #expect(try pulled.tally() == own.tally())
    let after = EventFilter(after: Position(rawValue: end))
    #expect(try pulled.events(after) == own.events(after))
    for (question, exit) in [
      (["why", TestBook.ada.description], 0), (["show", TestBook.ada.description], 0),
      (["log"], 0), (["findings"], 0), (["stats"], 0), (["report", "-o", "-"], 0),
      (["verify"], 0), (["show", "5"], 2), (["show", "400"], 0), (["sessions"], 0),
      (["log", "--after", "5"], 2), (["sessions", "--as-of", "2026-01-02 04:00"], 2),
      (["export", "--format", "jsonl"], 0),
    ] {
      let ending = try GatebookProcess.run(question + ["--book", stage.path, "--key", "none"])
      #expect(ending.exit == Int32(exit), "\(question): \(ending.errors)")
      #expect(!ending.errors.contains("archive"), "\(question): \(ending.errors)")
      #expect(exit == 0 || ending.errors.contains("forgot"), "\(question): \(ending.errors)")
    }
    let doctor = try GatebookProcess.run(["doctor", "--book", stage.path])
    #expect(!doctor.output.contains("bad   "), "\(doctor.output)")
    let second = try #require(
      ChildProcess(
        FleetTool.folder + "/verify-book", ["verify-book", stage.path],
        environment: ["PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"],
        streams: [.nothing, .nothing, .inherited]))
    #expect(second.wait()?.code == 0)
  }

  @Test func `a changed state of a pulled book is found`() async throws {
    let (stage, book) = try await shipped()
    try await stage.fleet.forget(book, before: 300)
    try await stage.pull()
    for change in [
      "UPDATE opening_row SET state = replace(state, '\"', '\"x') WHERE part = 'stream'",
      "UPDATE opening SET root = zeroblob(32)", "UPDATE opening SET floor = floor - 1",
      "DELETE FROM opening_event",
      "UPDATE book SET key_description = '{}'",
    ] {
      let copy = stage.folder.file("changed")
      Files.remove(copy)
      let file = try #require(OpenFile.open(copy, .new))
      #expect(file.write(try #require(Files.content(of: stage.path))))
      let process = try #require(
        ChildProcess(
          "/usr/bin/sqlite3", ["sqlite3", copy, change], environment: [],
          streams: [.nothing, .nothing, .inherited]))
      #expect(process.wait()?.code == 0)
      #expect(try await !BookVerifier(path: copy).verify().ok, "\(change)")
    }
  }

  @Test func `answers are as before, and what is gone is said`() async throws {
    let (stage, book) = try await shipped()
    try await book.append(.erasing(TestBook.bob))
    try await stage.fleet.ship(book)
    let asked = Asked(fleet: stage.fleet)
    let late = try book.moment(of: 500).description
    let questions = [
      ["stats"], ["stats", "--by", "day"], ["stats", "--by", "kind"], ["stats", "--by", "book"],
      ["stats", "--by", "account", "--book", "laptop"],
      ["stats", TestBook.ada.description], ["accounts"], ["sessions"],
      ["sessions", "--as-of", late, "--book", "laptop"],
      ["log", "--after", "400", "--book", "laptop"],
      ["why", TestBook.ada.description, "--book", "laptop"],
      ["show", TestBook.ada.description, "--book", "laptop"],
    ]
    // When an account's first event was is not known any more.
    func lines(_ question: [String]) throws -> [String] {
      try asked.lines(question).map { line in
        question.count == 2 && question[0] == "stats" && question[1].count == 32
          ? line.replacing(/"first":"[^"]*",/, with: "") : line
      }
    }
    let before = try questions.map { try lines($0) }
    let end = try await stage.fleet.forget(book, before: 300)
    for (question, answer) in zip(questions, before) {
      #expect(!answer.isEmpty, "\(question)")
      // What led to the present is shorter.
      guard question[0] != "why" else { continue }
      #expect(try lines(question) == answer, "\(question)")
    }
    let books = try asked.lines(["books"])
    #expect(books[0].contains("\"forgotten\":\(end)"), "\(books)")
    let log = try asked.ask(["log", "--book", "laptop"])
    #expect(log.errors.contains("the fleet forgot the events up to position \(end)."))
    for asOf in ["5", try book.moment(of: 20).description] {
      let ending = try asked.ask(["sessions", "--book", "laptop", "--as-of", asOf])
      #expect(ending.exit == 2)
      #expect(ending.errors.contains("The fleet forgot the events of that time."))
    }
    let show = try asked.ask(["show", "--book", "laptop", "5"])
    #expect(show.exit == 2)
    #expect(show.errors.contains("forgot the event at position 5."), "\(show.errors)")
  }

  @Test func `the verdict is recorded, and a finding`() async throws {
    let (stage, book) = try await shipped()
    let asked = Asked(fleet: stage.fleet)
    let end = try await stage.fleet.forget(book, before: 300)
    let size = try book.reader().head().size
    let detail =
      "The fleet forgot the events up to position \(end). They agreed with a checkpoint of the book's "
      + "key, which covers \(size) events."
    #expect(
      try stage.fleet.connect().run("SELECT code, detail, role FROM gatebook.notice").map {
        [$0.text(0), $0.text(1), $0.text(2)]
      } == [["fleet.forgotten", detail, "owner1"]])
    let findings = try asked.lines(["findings", "--book", "laptop"])
    #expect(findings.contains { $0.contains("events.forgotten") && $0.contains(detail) })
    #expect(try !asked.lines(["findings"]).contains { $0.contains("batch.refused") })
    let verified = try asked.ask(["verify", "--book", "laptop"])
    #expect(verified.exit == 0)
    #expect(
      verified.output.contains("The fleet forgot \(end) earlier events"), "\(verified.output)")
    #expect(
      try asked.lines(["verify"])[0].contains("\"forgotten\":\(end)"), "\(verified.output)")
  }

  @Test func `all of a history can be forgotten, and it continues`() async throws {
    let (stage, book) = try await shipped(events: 300)
    let size = try book.reader().head().size
    let moment = book.clock.now().wall + .seconds(1)
    let report = try await stage.fleet.forget(before: moment)
    #expect(report.forgotten.map(\.last.rawValue) == [size])
    #expect(try stage.fleet.events() == [])
    try await stage.fleet.expectVerified(forgotten: [size])
    let pull = try await stage.pull()
    #expect(pull.events == 0)
    #expect(
      try BookReader.open(at: stage.path).accounts() == book.reader(hasKey: false).accounts())
    #expect(try await stage.fleet.ship(book).events == 0)
    try await book.grow(by: 70)
    #expect(try await stage.fleet.ship(book).events == 70)
    #expect(try stage.fleet.value("SELECT count(*) FROM gatebook.branch") == "1")
    try await stage.fleet.expectVerified(forgotten: [size])
    Files.remove(stage.path)
    #expect(try await stage.pull().events == 70)
    #expect(try await BookVerifier(path: stage.path).verify().ok)
  }

  @Test func `pseudonyms outlive the events that had the names`() async throws {
    let (stage, book) = try await shipped()
    let options = ShipmentOptions(
      machine: "laptop", pseudonymKey: try PseudonymKey(Secret(String(repeating: "a", count: 64))))
    let pseudonyms =
      "SELECT string_agg(account::text || encode(value, 'hex'), ' ' ORDER BY account, value)"
      + " FROM gatebook.pseudonym"
    try await stage.fleet.ship(book, options: options)
    let all = try #require(try stage.fleet.value(pseudonyms))
    try await stage.fleet.forget(book, before: 300)
    #expect(try stage.fleet.value(pseudonyms) == all)
    try await stage.fleet.expectVerified()
    // A key that comes after the events were forgotten.
    let later = try await shipped()
    try await later.stage.fleet.forget(later.book, before: 300)
    try await later.stage.fleet.ship(later.book, options: options)
    #expect(try later.stage.fleet.value("SELECT count(*) FROM gatebook.pseudonym") != "0")
    #expect(try later.stage.fleet.value("SELECT named = size FROM gatebook.branch") == "true")
  }
}
