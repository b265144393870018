internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

/// `gatebook report`: what its page contains.
@MainActor struct ReportTests {
  /// What could end a block, begin markup, or turn what people read.
  private static let hostile =
    "</script><script>fail()</script><!-- \"' onload=fail() <img src=http://127.0.0.1:9/x> "
    + "\u{2028}\u{202E}]]>&{{data}}"

  @Test func `a small book's page`() async throws {
    let book = try await ReportedBook(days: 4)
    try Snapshot.check(try book.content(await book.report()), "report")
  }

  @Test func `the figures of the page are those of the book`() async throws {
    let book = try await ReportedBook()
    let data = try book.data(try await book.report())
    let events = try BookReader.open(at: book.book).events(EventFilter())
    let rows = ReportedBook.list(data["events"]).map(ReportedBook.list)
    try #require(rows.allSatisfy { $0.count == 7 })
    #expect(rows.map { $0[0].integer } == events.map(\.position.rawValue))
    #expect(rows.map { $0[1].integer } == events.map { $0.at.rawValue / 1_000 })
    #expect(data["total"]?.integer == Int64(events.count))
    let kinds = ReportedBook.list(data["kinds"]).map { ReportedBook.list($0).first?.string }
    #expect(rows.map { row in row[2].integer.flatMap { kinds[Int($0)] } } == events.map(\.kind))
  }

  @Test func `nothing from a log becomes markup or script`() async throws {
    let book = try await ReportedBook(days: 4, text: Self.hostile)
    let page = try await book.report()
    #expect(page.components(of: "<script") == 2)
    #expect(page.components(of: "</script>") == 2)
    #expect(page.components(of: "<style") == 1)
    let content = try book.content(page)
    for text in ["<!--", "fail()</script", "<img", "\u{2028}", "\u{202E}"] {
      #expect(!content.contains(text), "\(text)")
    }
    // It is there, as data.
    #expect(content.contains("\\u003c/script\\u003e\\u003cscript\\u003efail()"))
  }

  @Test func `nothing personal is printed, with or without the key`() throws {
    let scene = try Scene()
    try scene.populate()
    let file = "\(scene.folder)/report.html"
    for more in [[], ["--account", "ben"], ["--key", "none"]] {
      let ending = try scene.start(["report", "-o", file] + more).end()
      #expect(ending.exit == 0, "\(ending.errors)")
      let page = try TextFile.read(file, what: "report")
      for text in [
        FakePortalUser.ada.emailAddress, FakePortalUser.ben.emailAddress, "Lovelace",
        "\"ada\"", "\"ben\"", ">ben<",
      ] {
        #expect(!page.contains(text), "\(text)")
      }
    }
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `the report of one account names no other`() async throws {
    let book = try await ReportedBook()
    let accounts = try BookReader.open(at: book.book).accounts().map(\.account.description)
    let page = try await book.report("--account", accounts[1])
    #expect(page.contains(accounts[1].prefix(8)))
    for other in accounts where other != accounts[1] { #expect(!page.contains(other.prefix(8))) }
  }

  @Test func `times are the reader's`() async throws {
    let book = try await ReportedBook(days: 4)
    let utc = try await book.report()
    let ahead = try await book.report(zone: TimeZoneRule { _ in 7200 })
    let data = try book.data(ahead)
    let zone = ReportedBook.list(ReportedBook.list(data["zone"]).first)
    #expect(zone.last?.integer == 7_200_000)
    #expect(try await book.report("--utc", zone: TimeZoneRule { _ in 7200 }) != ahead)
    #expect(utc != ahead)
    #expect(utc.contains("Times are in UTC."))
    #expect(ahead.contains("Times are in UTC+02:00."))
    let summer = TimeZoneRule { $0 < 1_768_000_000 ? -34_200 : -37_800 }
    #expect(
      try await book.report(zone: summer).contains(
        "Times are in UTC-10:30, at other times UTC-09:30."))
  }

  @Test func `the head says which book it is of, and the picture goes up to now`() async throws {
    let book = try await ReportedBook(days: 4)
    let page = try await book.report()
    let id = try BookReader.open(at: book.book).id
    let head = try #require(page.firstRange(of: "</header>"))
    #expect(page[..<head.lowerBound].contains("Book <code>\(id)</code> as of position "))
    #expect(try book.data(page)["to"]?.integer == 1_770_300_000_001)
    // From the sample's last day to the one of the report nothing happened: that is a gap, not a
    // day.
    #expect(page.contains("<g class=\"pause\"><title>Nothing for 26 days</title>"))
    #expect(page.contains("<span>2026-02-05</span>"))
  }

  @Test func `a part of the book says which, and tells nothing else`() async throws {
    let book = try await ReportedBook()
    let page = try await book.report("--since", "2026-01-10", "--until", "2026-01-12 UTC")
    let span = "2026-01-10 00:00:00 to 2026-01-13 00:00:00"
    // In the head, in the subtitle and with the first figure.
    #expect(page.components(of: span) == 3)
    let head = try #require(page.firstRange(of: "</header>"))
    #expect(page[..<head.lowerBound].contains("this page covers the time from \(span)."))
    let data = try book.data(page)
    let all = try BookReader.open(at: book.book).events(EventFilter())
    let (start, end) = (Int64(1_768_003_200_000), Int64(1_768_262_400_000))
    let told = all.filter { (start..<end).contains($0.at.rawValue / 1_000) }
    let rows = ReportedBook.list(data["events"]).map(ReportedBook.list)
    #expect(!told.isEmpty && rows.map { $0[0].integer } == told.map(\.position.rawValue))
    #expect(data["from"]?.integer == start && data["to"]?.integer == end + 1)
    #expect(data["total"]?.integer == Int64(told.count))
    for day in ["01-09", "01-13"] { #expect(!page.contains("<title>2026-\(day)")) }
    #expect(
      page.contains("could be used at the end") && page.contains("are left out for a past period."))
    #expect(
      try await book.report("--since", "2026-01-10").contains(
        "the time from 2026-01-10 00:00:00 on."))
    for more in [["--since", "2999-01-01"], ["--since", "2026-01-12", "--until", "2026-01-10"]] {
      let ending = try Scene().start(["report", "-o", book.file, "--book", book.book] + more).end()
      #expect(ending.exit == 2, "\(ending.errors)")
    }
  }

  @Test func `a few days have their dates below them, and one day is described in words`()
    async throws
  {
    let book = try await ReportedBook()
    let few = try await book.report("--since", "2026-01-10", "--until", "2026-01-12")
    #expect(few.contains(/<svg class="dates".*>01-10<.*>01-11<.*>01-12</))
    #expect(!few.contains(#"<div class="axis">"#))
    let one = try await book.report("--since", "2026-01-10", "--until", "2026-01-10")
    #expect(
      one.contains(/All of it was on 2026-01-10: \d+ logins?, \d+ refreshe?s?, \d+ failures?\./))
    #expect(!one.contains("<g class=\"day\">"))
    let minute = try await book.report("--since", "2026-01-10 12:00", "--until", "2026-01-10 12:01")
    #expect(minute.contains(">2026-01-10 12:00:30</text>"))
  }

  @Test func `a page goes to standard output, and export, too`() throws {
    let scene = try Scene()
    try scene.populate()
    let page = try scene.run("report", "-o", "-")
    #expect(page.exit == 0, "\(page.errors)")
    #expect(page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
    #expect(page.errors.hasPrefix("standard output: "))
    #expect(access("-", F_OK) != 0)
    let lines = try scene.run("export", "--format", "jsonl", "-o", "-").output
    #expect(lines == (try scene.run("export", "--format", "jsonl").output))
    #expect(try scene.run("prove", "4", "-o", "-").output.hasPrefix("c2sp.org/tlog-proof@v1\n"))
    #expect(try scene.run("checkpoint", "-o", "-").output.hasPrefix("gatebook/"))
  }

  @Test func `a page that cannot be written leaves no file`() async throws {
    let book = try await ReportedBook(days: 4)
    let scene = try Scene()
    let full = try scene.start(["report", "-o", "/dev/full", "--book", book.book]).end()
    #expect(full.exit == 1)
    let missing = try scene.start(["report", "--book", book.book]).end()
    #expect(missing.exit == 2)
    let none = try scene.start(["report", "-o", book.file, "--book", "\(book.book)-none"]).end()
    #expect(none.exit == 7)
    #expect(access(book.file, F_OK) != 0)
  }

  @Test func `a longer book makes rows and nothing else`() async throws {
    let short = try await ReportedBook()
    let long = try await ReportedBook(renewals: 20)
    let pages = [try await short.report(), try await long.report()]
    let rows = try pages.map { ReportedBook.list(try short.data($0)["events"]).count }
    #expect(rows[1] > rows[0] * 8)
    let elements = pages.map { $0.components(of: "<rect") + $0.components(of: "<use") }
    #expect(elements[0] == elements[1])
    let bytes = zip(pages, rows).map { Double($0.utf8.count) / Double($1) }
    #expect(bytes[1] < bytes[0])
  }
}

extension String {
  /// How often a text occurs in it.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
