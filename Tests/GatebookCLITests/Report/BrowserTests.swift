internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The report in a browser: `tools/browser/check` tries all that can be done with it.
struct BrowserTests {
  @Test func `a report works in a browser, however long and strange the book`() async throws {
    let plain = try await ReportedBook()
    let long = try await ReportedBook(renewals: 60)
    let strange = try await ReportedBook(
      text: "</script><script>fail()</script><img src=x onerror=fail()>\u{202E}\"'")
    var line = Self.tool
    for book in [plain, long, strange] {
      try await book.report()
      line += await " '\(book.file)'"
    }
    let pipe = try #require(popen("\(line) 2>&1", "r"))
    var text: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { text.append(UInt8(byte)) }
    #expect(pclose(pipe) == 0, "\(String(decoding: text, as: UTF8.self))")
  }

  private static var tool: String {
    let file = String(describing: #filePath)
    return "/" + file.split(separator: "/").dropLast(4).joined(separator: "/")
      + "/tools/browser/check"
  }
}
