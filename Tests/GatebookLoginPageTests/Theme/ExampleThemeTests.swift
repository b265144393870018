internal import Gatebook
internal import GatebookSystem
internal import Testing

@testable internal import GatebookLoginPage

/// The theme "paper", which the article LoginPage shows.
struct ExampleThemeTests {
  @Test func `the theme of the article is one`() throws {
    let files = try Self.files()
    #expect(Set(files.keys) == ["paper.css", "paper.html", "paper.svg"])
    let theme = try LoginTheme(name: "paper", files: files)
    let rendering = ScreenRendering(
      words: .preferred(by: "en"), code: "K7QF", number: 1, end: "10:42", wasSent: false)
    let view = FormView(server: "https://portal.example", fields: [.user(), .password])
    let page = theme.page(rendering.values(of: .form(view)))
    #expect(page.contains("K7QF"))
    #expect(page.contains("data:image/svg+xml;base64,"))
    #expect(page.contains("<label for=\"field-password\">Password</label>"))
  }

  /// The blocks of the article, by the names in the lines before them.
  private static func files() throws -> [String: [UInt8]] {
    let file = String(describing: #filePath)
    let root = "/" + file.split(separator: "/").dropLast(4).joined(separator: "/")
    let article = Files.text(of: "\(root)/Sources/Gatebook/Gatebook.docc/LoginPage.md")
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
    var files: [String: [UInt8]] = [:]
    for (number, line) in lines.enumerated()
    where line.hasPrefix("`paper.") && line.hasSuffix("`") {
      let block = lines[(number + 1)...].drop { !$0.hasPrefix("```") }.dropFirst()
        .prefix { $0 != "```" }
      files[line.filter { $0 != "`" }] = Array(block.joined(separator: "\n").utf8)
    }
    return files
  }
}
