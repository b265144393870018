import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct AskSameTests {
  private static func shipped(_ book: TestBook) async throws -> (book: TestBook, asked: Asked) {
    let fleet = try await TestFleet()
    try await fleet.ship(book)
    return (book, Asked(fleet: fleet))
  }

  /// A fleet with a book for all tests that ask.
  private static let plain = Task { try await shipped(try await TestBook.written()) }
  private static let eventful = Task { try await shipped(try await TestBook.eventful()) }

  @Test(arguments: [
    ["accounts"], ["sessions"], ["sessions", "--as-of", "100"], ["log"], ["log", "--limit", "7"],
    ["log", "--after", "50", "--limit", "3"], ["log", "--kind", "account"], ["log", "--failed"],
    ["log", "--kind", "login.succeeded", "--limit", "1"], ["log", "--account", "0000000000000b0b"],
    ["stats", "--by", "day"], ["stats", "--by", "kind"],
    ["stats", "--by", "day", "--until", "2000-01-01"],
  ])
  func `a book in a fleet answers as the book itself`(_ words: [String]) async throws {
    let (book, asked) = try await Self.plain.value
    let local = try asked.local(words, book)
    #expect(try asked.ownLines(words + ["--book", "laptop"], of: book.id) == local)
    #expect(!local.isEmpty || words.contains("--failed") || words.contains("--until"))
  }

  @Test(arguments: [["accounts"], ["sessions"], ["log"], ["findings"], ["log", "--failed"]])
  func `a book with trouble and an erased account answers as the book itself`(
    _ words: [String]
  ) async throws {
    let (book, asked) = try await Self.eventful.value
    var answer = try asked.ownLines(
      words + ["--book", "laptop"] + (words == ["findings"] ? ["--severity", "note"] : []),
      of: book.id)
    if words == ["findings"] { answer.removeLast() }
    // The fleet does not know where a book's key is.
    let local = try asked.local(words, book).filter { !$0.contains("key.weak") }
    #expect(answer == local)
    #expect(!local.isEmpty)
  }

  @Test func `totals are those of the book`() async throws {
    let (book, asked) = try await Self.eventful.value
    let (local, answer) = (
      try asked.local(["stats"], book)[0], try asked.lines(["stats", "--book", "laptop"])[0]
    )
    for name in [
      "accounts", "openSessions", "events", "logins", "failedLogins", "renewals", "failedRenewals",
      "logouts", "first", "last",
    ] {
      let own = try #require(Self.member(name, local), "\(name)")
      #expect(Self.member(name, answer) == own, "\(name)")
    }
    // The same figures of all books, from the counters of all parts.
    #expect(
      Self.member("events", try asked.lines(["stats"])[0]) == Self.member("events", local))
  }

  @Test func `a session that time has ended is not open`() async throws {
    let book = try TestBook()
    try await book.append(.login(TestBook.ada), .endingLogin(TestBook.bob))
    let (_, asked) = try await Self.shipped(book)
    // The clock of the test's book is in the past: by now that session is over.
    for (words, open) in [(["stats"], "1"), (["stats", "--account", "0000000000000b0b"], "0")] {
      #expect(Self.member("openSessions", try asked.lines(words)[0]) == open)
    }
    #expect(
      try asked.ownLines(["accounts", "--book", "laptop"], of: book.id)
        == asked.local(["accounts"], book))
    #expect(try asked.fleet.value("SELECT usable FROM gatebook.branch") == "2")
  }

  /// The text of a member of an object on one line.
  private static func member(_ name: String, _ object: String) -> String? {
    guard let start = object.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
    return String(object[start...].prefix { $0 != "," && $0 != "}" })
  }
}

extension Append {
  /// A login whose session expires after a minute, and nothing renews it.
  fileprivate static func endingLogin(_ account: AccountID) -> Append {
    var append = login(account)
    append.events[1].data["lifetime"] = 60_000_000
    append.events[1].data["renewable"] = false
    return append
  }
}
