import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

struct AskPersonTests {
  private static let ada = TestBook.ada
  private static let bob = TestBook.bob

  /// Three machines; on the second one the accounts' ids are the other way round.
  private func fleet() async throws -> (fleet: PersonFleet, books: [TestBook]) {
    let fleet = try await PersonFleet()
    let books = [
      try await TestBook.of((Self.ada, "ada@example.com"), (Self.bob, "bob")),
      try await TestBook.of((Self.ada, "bob"), (Self.bob, "ada@example.com")),
      try await TestBook.of((Self.ada, "bob"), (Self.bob, "carl")),
    ]
    for (number, book) in books.enumerated() {
      book.clock.advance(by: .seconds(number))
      try await book.grow(by: 30 + number)
      try await fleet.ship(book, as: "lap\(number + 1)")
    }
    return (fleet, books)
  }

  /// Ada's lines of an answer about all.
  private func own(_ lines: [String], _ key: String) -> [String] {
    lines.filter { line in
      line.contains("\"machine\":\"lap1\"") && line.contains("\"\(key)\":\"\(Self.ada)\"")
        || line.contains("\"machine\":\"lap2\"") && line.contains("\"\(key)\":\"\(Self.bob)\"")
    }
  }

  @Test func `accounts, sessions and events of a person are found on all machines`() async throws {
    let (fleet, _) = try await fleet()
    for (words, key) in [(["accounts"], "id"), (["sessions"], "account"), (["log"], "account")] {
      let all = try fleet.asked.lines(words)
      let expected = own(all, key)
      #expect(!expected.isEmpty && expected.count < all.count)
      #expect(try fleet.asked.lines(words + fleet.person("ada@example.com")) == expected)
      #expect(try fleet.asked.lines(words + fleet.person("id of ada@example.com")) == expected)
    }
    let table = try fleet.asked.ask(["accounts"] + fleet.person("ada@example.com"))
    #expect(table.exit == 0)
    #expect(table.errors.isEmpty)
    #expect(table.output.contains("lap1") && table.output.contains("lap2"))
    #expect(!table.output.contains("lap3"))
  }

  @Test func `filters combine`() async throws {
    let (fleet, books) = try await fleet()
    let person = fleet.person("ada@example.com")
    let all = own(try fleet.asked.lines(["log"]), "account")
    #expect(try fleet.asked.lines(["log", "--limit", "7"] + person) == all.suffix(7))
    let renamed = all.filter { $0.contains("\"kind\":\"account.renamed\"") }
    #expect(!renamed.isEmpty)
    #expect(try fleet.asked.lines(["log", "--kind", "account.renamed"] + person) == renamed)
    #expect(
      try fleet.asked.lines(["log", "--kind", "account.renamed", "--limit", "2"] + person)
        == renamed.suffix(2))
    #expect(try fleet.asked.lines(["log", "--failed"] + person) == [])
    #expect(
      try fleet.asked.lines(["log", "--book", "lap2"] + person)
        == all.filter { $0.contains("lap2") })
    #expect(
      try fleet.asked.lines(["accounts", "--account", "\(Self.ada)"] + person).count == 1)
    #expect(
      try fleet.asked.lines(["accounts", "--book", "lap1", "--account", "\(Self.bob)"] + person)
        == [])
    let past = try fleet.asked.lines(["sessions", "--as-of", "9", "--book", "lap2"] + person)
    #expect(past.count == 1)
    #expect(try past[0].contains("\"book\":\"\(books[1].id)\""))
  }

  @Test func `events are the same whether histories are read or kinds`() async throws {
    let (fleet, _) = try await fleet()
    let connection = try fleet.fleet.connect(.auditor)
    try connection.beginReading()
    let selection = try FleetSelection(
      FleetScope(person: FleetPerson("ada@example.com", try PersonFleet.key())), connection)
    for limit in [nil, 5] {
      var found: [[EventPlace]] = []
      for most in [Int64(0), .max] {
        let query = try FleetLogQuery(
          selection, FleetLogFilter(limit: limit), connection, readingAtMost: most)
        #expect(query.readsHistories == (most > 0))
        var rows = try FleetLogRows(query, connection)
        found.append(try rows.next().map(\.place))
        #expect(!found[0].isEmpty)
        // Cursors end with their transaction.
        try connection.run("ROLLBACK")
        try connection.beginReading()
      }
      #expect(found[0] == found[1])
    }
  }

  @Test func `the library counts a person's events and sessions`() async throws {
    let (fleet, _) = try await fleet()
    let reader = try fleet.reader()
    let scope = FleetScope(person: FleetPerson("ada@example.com", try PersonFleet.key()))
    let reach = try await reader.reach(scope)
    #expect(reach?.accounts == 2)
    #expect(reach?.books == 2)
    #expect(reach?.booksWithoutPseudonyms == 0)
    let figures = try await reader.statistics(scope, at: Timestamp(rawValue: 0))
    #expect(figures.accounts == 2)
    #expect(
      try figures.tally.events == Int64(own(fleet.asked.lines(["log"]), "account").count))
  }

  @Test func `a typed name leads to its account`() async throws {
    let fleet = try await PersonFleet()
    let book = try await TestBook.of((Self.ada, "ada"), (Self.bob, "bob"))
    try await book.append(.attempt(Self.bob, typed: "Bob Ross"))
    try await fleet.ship(book, as: "lap1")
    let lines = try fleet.asked.lines(["accounts"] + fleet.person("Bob Ross"))
    #expect(lines.count == 1)
    #expect(lines[0].contains("\"id\":\"\(Self.bob)\""))
    // Exactly as it is written.
    for name in ["bob ross", "Bob Ross ", "Bob"] {
      #expect(try fleet.asked.lines(["accounts"] + fleet.person(name)) == [])
    }
  }

  @Test func `an erased account is found no more, and the person's others are`() async throws {
    let (fleet, books) = try await fleet()
    try await books[0].append(.erasing(Self.ada))
    try await fleet.ship(books[0], as: "lap1")
    let lines = try fleet.asked.lines(["accounts"] + fleet.person("ada@example.com"))
    #expect(lines.count == 1)
    #expect(lines[0].contains("\"machine\":\"lap2\""))
  }

  @Test func `who is in a book since before its archive is found`() async throws {
    let fleet = try await PersonFleet()
    let book = try await TestBook.of((Self.ada, "ada@example.com"), (Self.bob, "bob"))
    try await book.grow(by: 20)
    _ = try await book.archive()
    try await book.grow(by: 20)
    try await fleet.ship(book, as: "lap1")
    #expect(try fleet.asked.lines(["accounts"] + fleet.person("ada@example.com")).count == 1)
  }

  @Test func `a name is read from standard input`() async throws {
    let (fleet, _) = try await fleet()
    let ending = try GatebookProcess.run(
      ["fleet", "accounts", "--json", "--fleet", fleet.fleet.url(.auditor)] + fleet.person("-"),
      under: "printf 'ada@example.com\\n' | \"$@\"")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.split(separator: "\n").count == 2)
  }

  @Test func `the answer says which books could not be asked`() async throws {
    let fleet = try await PersonFleet()
    let (first, second) = (
      try await TestBook.of((Self.ada, "ada")), try await TestBook.of((Self.ada, "ada"))
    )
    try await fleet.ship(first, as: "lap1")
    try await fleet.ship(second, as: "lap2", hasKey: false)
    for question in ["accounts", "sessions", "log"] {
      let ending = try fleet.asked.ask([question] + fleet.person("ada"))
      #expect(ending.exit == 0)
      #expect(ending.output.contains("lap1"))
      #expect(ending.errors.contains("1 book has events without pseudonyms"), "\(ending.errors)")
      let unknown = try fleet.asked.ask([question, "--json"] + fleet.person("mallory"))
      #expect(unknown.exit == 0)
      #expect(unknown.output.isEmpty)
      #expect(unknown.errors.contains("No account of this name or id was found."))
      #expect(unknown.errors.contains("1 book has events without pseudonyms"))
      #expect(!unknown.errors.contains("mallory"))
    }
    let asked = try fleet.asked.ask(["accounts", "--book", "lap1"] + fleet.person("ada"))
    #expect(asked.errors.isEmpty)
    try await fleet.ship(second, as: "lap2")
    #expect(try fleet.asked.lines(["accounts"] + fleet.person("ada")).count == 2)
  }
}
