import Gatebook
import GatebookCrypto
import GatebookSystem
import Testing

@testable import GatebookLoginPage

@Suite struct LoginThemeTests {
  private static let english = PageWords.preferred(by: nil)

  private static func values(
    _ screen: Screen, _ words: PageWords = english, wasSent: Bool = false
  ) -> TemplateValues {
    ScreenRendering(words: words, code: "K7QF", number: 3, end: "10:42", wasSent: wasSent)
      .values(of: screen)
  }

  private static func certificate() throws -> ServerCertificate {
    ServerCertificate(
      host: "gate.example", port: 8443,
      key: try KeyHash("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      defects: [.selfSigned])
  }

  /// A screen of each kind, with a text that only it shows.
  private static func screens() throws -> [(Screen, String)] {
    let form = FormView(server: "https://portal.example", fields: [.user("ada"), .password])
    var failed = form
    failed.failure = (
      .unreachable, GatebookError(.networkUnreachable, "No route.", remedy: "Wait.")
    )
    var wrong = form
    wrong.mistakes["password"] = .known(.missing)
    let server = Origin(scheme: "https", host: "gate.example", port: 8443)
    let error = GatebookError(.storageFull, "No room.", remedy: "Make room.")
    return [
      (.accounts([]), english(.chooseAccount)), (.form(form), "https://portal.example"),
      (.form(failed), "No route."), (.form(wrong), english(.missing)),
      (.certificate(try certificate(), server), english(.checkServer)),
      (.working(server: "portal"), english(.working)),
      (.ended(.cancelled), english(.cancelled)), (.ended(.expired), english(.expired)),
      (.ended(.elsewhere("https://a.example")), "https://a.example"),
      (.ended(.failed(error)), "No room."),
    ]
  }

  @Test(arguments: LoginTheme.all)
  func `a theme of Gatebook shows every screen`(_ theme: LoginTheme) throws {
    for words in PageWords.all {
      for (screen, _) in try Self.screens() {
        let page = theme.page(Self.values(screen, words, wasSent: true))
        #expect(
          page.contains(
            "<html lang=\"\(words.language)\" dir=\"\(words.isRightToLeft ? "rtl" : "ltr")\">"))
        #expect(page.contains("K7QF"))
        #expect(!page.contains("{{"))
        #expect(page.contains(HTMLTag.escaped(words(.alreadySent))))
        #expect(page.contains("<form") != screen.isLast)
      }
    }
    for (screen, text) in try Self.screens() {
      let page = theme.page(Self.values(screen))
      #expect(page.contains(HTMLTag.escaped(text)), "\(text)")
    }
  }

  @Test(arguments: LoginTheme.all)
  func `every field has its label, its hint and its mistake by their ids`(
    _ theme: LoginTheme
  ) throws {
    var view = FormView(server: "", fields: LoginForm.fcsdk().allFields(saving: true))
    for field in view.fields { view.mistakes[field.name] = .known(.missing) }
    let whole = theme.page(Self.values(.form(view)))
    let end = try #require(whole.firstRange(of: "</style>"))
    let page = String(whole[end.upperBound...])
    func all(_ pattern: String) -> [String] {
      Pattern(pattern).matches(in: page).map { String($0[1] ?? "") }
    }
    let ids = all(" id=\"([^\"]*)\"")
    #expect(Set(ids).count == ids.count)
    #expect(all(" for=\"([^\"]*)\"") == view.fields.map { "field-\($0.name)" })
    let described = all(" aria-describedby=\"([^\"]*)\"")
    #expect(described.count == view.fields.count)
    for id in described.flatMap({ $0.split(separator: " ") }) { #expect(ids.contains(String(id))) }
    #expect(all(" aria-invalid=\"(true)\"").count == view.fields.count)
    #expect(all("(<h1)").count == 1)
    #expect(all("(<main)").count == 1)
    #expect(all("<input[^>]*( autofocus)").count == 1)
    #expect(all("<input[^>]*type=\"(password)\"").count == 1)
  }

  /// What is between two texts, once.
  private func between(_ start: String, _ end: String, in page: String) throws -> String {
    let parts = page.split(separator: start, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let range = try #require(parts[1].firstRange(of: end))
    return String(parts[1][..<range.lowerBound])
  }

  private func source(_ text: String) -> String {
    "'sha256-\(Base64.encode(HashFunction.sha256.hash(Array(text.utf8))))'"
  }

  @Test(arguments: LoginTheme.all)
  func `the policy allows the style and the script of the page and nothing else`(
    _ theme: LoginTheme
  ) throws {
    let page = theme.page(Self.values(.ended(.cancelled)))
    let style = try between("<style>", "</style>", in: page)
    let script = try between("<script>", "</script>", in: page)
    #expect(
      theme.policy.split(separator: "; ").map(String.init) == [
        "default-src 'none'", "style-src \(source(style))", "script-src \(source(script))",
        "img-src data:", "connect-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
    #expect(!page.contains(" style=\""))
    #expect(!page.contains("href=\"default"))
  }

  @Test(
    arguments: [
      "<img src=\"p.png\" alt=\"\">", "<img src='p.png' alt=''>", "<img alt=\"\" src=p.png>",
      "<img SRC=\"./p.png\" alt=\"\">",
    ])
  func `a picture of a folder is in the page`(_ tag: String) throws {
    var files = ThemeOnDisk.files
    files["page.html"] = files["page.html"]?.replacing("</main>", with: "\(tag)</main>")
    files["p.png"] = "picture"
    let theme = try ThemeOnDisk(files).theme()
    let page = theme.page(Self.values(.ended(.cancelled)))
    #expect(page.contains("\"data:image/png;base64,\(Base64.encode(Array("picture".utf8)))\""))
    #expect(!page.contains("p.png"))
  }

  @Test(
    arguments: [
      "url(p.gif)", "url('p.gif')", "url(\"p.gif\")", "URL( p.gif )", "url( './p.gif' )",
    ])
  func `a picture of a stylesheet is in the page`(_ address: String) throws {
    var files = ThemeOnDisk.files
    files["default.css"] = "p { background: \(address) }"
    files["p.gif"] = "picture"
    let theme = try ThemeOnDisk(files).theme()
    let page = theme.page(Self.values(.ended(.cancelled)))
    let style = try between("<style>", "</style>", in: page)
    let data = "data:image/gif;base64,\(Base64.encode(Array("picture".utf8)))"
    #expect(style == "p { background: url(\"\(data)\") }")
    #expect(theme.policy.contains(source(style)))
  }

  @Test(
    arguments: [
      "<link href=\"default.css\" rel=\"stylesheet\">",
      "<link rel='stylesheet' href='default.css'>",
      "<link rel=stylesheet href=default.css>",
      "<LINK\n REL=\"stylesheet\"\n HREF=\"default.css\">",
    ])
  func `the stylesheet is found however its tag is written`(_ tag: String) throws {
    var files = ThemeOnDisk.files
    files["page.html"] = files["page.html"]?.replacing(
      "<link rel=\"stylesheet\" href=\"default.css\">", with: tag)
    let page = try ThemeOnDisk(files).theme()
      .page(Self.values(.ended(.cancelled)))
    #expect(try between("<style>", "</style>", in: page).contains("color"))
    #expect(!page.contains("default.css"))
  }

  @Test func `a theme of a folder has its name, also through a link`() throws {
    let disk = try ThemeOnDisk()
    let theme = try disk.theme()
    #expect(disk.folder.hasSuffix("/\(theme.name)"))
    try disk.write(".hidden", [0xFF])
    let link = "\(disk.folder)-link"
    _ = Files.symbolicLink(link, to: disk.folder)
    defer { Files.remove(link) }
    #expect(try LoginTheme(folder: link).name == theme.name)
    #expect(try LoginTheme(folder: link).policy == theme.policy)
  }

  @Test func `the names of the themes of Gatebook`() {
    #expect(LoginTheme.all.map(\.name) == ["default", "flat7"])
  }
}
