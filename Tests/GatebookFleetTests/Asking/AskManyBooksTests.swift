import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct AskManyBooksTests {
  /// A fleet for all tests that only ask.
  private static let told = Task { try await fleet() }
  private static let large = Task { try await fleet(1500) }

  /// A fleet of books on machines `lap1` to `lap3`.
  private static func fleet(_ events: Int = 60) async throws -> (asked: Asked, books: [TestBook]) {
    let fleet = try await TestFleet()
    var books: [TestBook] = []
    for number in 1...3 {
      let book = try await TestBook.written(events: events + number)
      try await fleet.ship(book, options: ShipmentOptions(machine: "lap\(number)"))
      books.append(book)
    }
    return (Asked(fleet: fleet), books)
  }

  @Test func `each book has its line`() async throws {
    let (asked, books) = try await Self.told.value
    let lines = try asked.lines(["books"])
    #expect(lines.count == 3)
    for (index, book) in books.enumerated() {
      let size = try book.reader().head().size
      #expect(lines[index].contains("\"book\":\"\(try book.id)\",\"machine\":\"lap\(index + 1)\""))
      #expect(lines[index].contains("\"size\":\(size),"))
      #expect(lines[index].contains("\"signed\":true"))
      #expect(lines[index].contains("\"owner\":\"lap1\""))
      let last = try #require(try book.reader().events(EventFilter(limit: 1)).first)
      #expect(lines[index].contains("\"lastEvent\":\"\(last.at)\""))
    }
    #expect(try asked.lines(["books", "--book", "lap2"]) == [lines[1]])
    let id = try books[2].id.description
    for name in [id, String(id.prefix(4)), String(id.prefix(20)).uppercased()] {
      #expect(try asked.lines(["books", "--book", name]).contains(lines[2]))
    }
    let table = try asked.ask(["books"]).output
    #expect(table.hasPrefix("machine  book"))
  }

  @Test(arguments: [nil, 1, 5, 37, 100_000])
  func `events of all books come in the order of time, book and position`(
    _ limit: Int?
  ) async throws {
    let (asked, books) = try await Self.large.value
    var all: [(at: Timestamp, book: BookID, position: Position)] = []
    for book in books {
      let reader = try book.reader()
      all += try reader.events(EventFilter()).map { ($0.at, reader.id, $0.position) }
    }
    all.sort { ($0.at, $0.book, $0.position) < ($1.at, $1.book, $1.position) }
    let words = ["log"] + (limit.map { ["--limit", "\($0)"] } ?? [])
    let lines = try asked.lines(words)
    let expected = limit.map { all.suffix($0) } ?? all[...]
    #expect(lines.count == expected.count)
    for (line, event) in zip(lines, expected) {
      #expect(
        line.contains("{\"book\":\"\(event.book)\"")
          && line.contains("\"position\":\(event.position),"))
    }
  }

  @Test func `kinds and times choose events of all books`() async throws {
    let (asked, books) = try await Self.told.value
    var expected = 0
    let middle = try #require(
      try books[0].reader().events(EventFilter(limit: 20)).first
    ).at
    for book in books {
      for kind in ["account.", "login."] {
        expected += try book.reader().events(EventFilter(kind: kind, since: middle)).count
      }
    }
    let lines = try asked.lines(
      ["log", "--kind", "account", "--kind", "login.*", "--since", "\(middle)"])
    #expect(lines.count == expected)
    #expect(expected > 0)
  }

  @Test func `a position needs one book`() async throws {
    let (asked, _) = try await Self.told.value
    let ending = try asked.ask(["log", "--after", "3"])
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("Positions are those of one history of a book."))
  }

  @Test func `an account of one book is found by the beginning of its id`() async throws {
    let (asked, books) = try await Self.told.value
    // The test's books have the same accounts.
    let lines = try asked.lines(["accounts", "0000000000000ada"])
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains("\"id\":\"\(TestBook.ada)\"") })
    let ending = try asked.ask(["accounts", "--account", "00000000"])
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("matches 2 accounts"))
    #expect(
      try asked.ownLines(
        ["log", "--account", "0000000000000ada", "--book", "lap2"], of: books[1].id, machine: "lap2"
      )
        == asked.local(["log", "--account", "0000000000000ada"], books[1]))
  }

  @Test func `counters of all books are the sums of theirs`() async throws {
    let (asked, books) = try await Self.told.value
    let reader = FleetReader(try asked.fleet.access(.auditor))
    var sum = Tally()
    for book in books { sum.add(try book.reader().tally()) }
    #expect(try await reader.tally() == sum)
    var days: [Day: Tally] = [:]
    for book in books {
      for (day, tally) in try book.reader().tallyByDay() { days[day, default: Tally()].add(tally) }
    }
    #expect(try await reader.tallyByDay() == days)
    let last = try #require(days.keys.max())
    #expect(try await reader.tally(on: last...last) == days[last])
    #expect(try await reader.tallyByBook().map(\.value) == books.map { try $0.reader().tally() })
    #expect(
      try await reader.tallyByAccount(FleetScope(book: "lap2"))
        == books[1].reader().tallyByAccount())
    let error = await expect(.configurationInvalid) { () async throws(GatebookError) in
      _ = try await reader.tallyByAccount(FleetScope())
    }
    #expect(error?.setting == "book")
    let figures = try await reader.statistics(on: last...last, at: Timestamp(rawValue: 0))
    let ends = try books.map { book in
      try book.reader().statistics(on: last...last).first
    }.compactMap(\.self)
    #expect(figures.first == ends.min())
    #expect(figures.books == 3)
  }

  @Test func `a copy that was used has its own line, and answers with its whole past`() async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 40)
    let copy = try book.copied()
    try await fleet.ship(book)
    try await book.append(.note("here"))
    try await copy.append(.note("there"), .note("there too"))
    try await fleet.ship(book)
    try await fleet.ship(copy, options: ShipmentOptions(machine: "copy"))
    let asked = Asked(fleet: fleet)
    let lines = try asked.lines(["books"])
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"machine\":\"copy\",\"branch\":1"))
    #expect(lines[0].contains("\"forkedAfter\":49"))
    #expect(try asked.lines(["log", "--book", "copy"]).count == 2)
    for words in [["accounts"], ["sessions"], ["sessions", "--as-of", "51"]] {
      let own = try asked.lines(words + ["--book", "copy"]).map {
        $0.replacing(
          "\"book\":\"\(try book.id)\",\"machine\":\"copy\",\"branch\":1,", with: "")
      }
      #expect(try own == asked.local(words, copy))
    }
    let both = try asked.ask(["log", "--book", book.id.description, "--after", "1"])
    #expect(both.exit == 2)
    #expect(
      try asked.lines(["log", "--book", book.id.description, "--branch", "0", "--after", "49"])
        .count == 1)
  }

  @Test func `the answer names books whose states are older than their events`() async throws {
    let (asked, books) = try await Self.fleet()
    try asked.fleet.run("UPDATE gatebook.branch SET folded = 20 WHERE machine = 'lap3'")
    let ending = try asked.ask(["accounts"])
    #expect(ending.exit == 0)
    let size = try books[2].reader().head().size
    #expect(ending.errors.contains("lap3: accounts and sessions are those after event 20"))
    #expect(ending.errors.contains("has \(size)"))
    #expect(!ending.errors.contains("lap2"))
  }

  @Test func `the past before an archive is asked for in vain, and after it is there`() async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    try book.putAway(try await book.archive())
    try await book.grow(by: 50)
    let asked = Asked(fleet: fleet)
    try await fleet.ship(book)
    #expect(try asked.lines(["books"])[0].contains("\"first\":"))
    let ending = try asked.ask(["sessions", "--as-of", "2000-01-01"])
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("in an archive"))
    let last = "\(try book.reader().head().size - 5)"
    #expect(
      try asked.ownLines(["sessions", "--as-of", last, "--book", "laptop"], of: book.id)
        == asked.local(["sessions", "--as-of", last], book))
  }
}
