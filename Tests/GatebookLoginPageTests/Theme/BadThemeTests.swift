import Gatebook
import GatebookSystem
import Testing

@testable import GatebookLoginPage

/// What is no theme, with the place where its author finds why.
@Suite struct BadThemeTests {
  /// A theme with something wrong.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The file, and where it is known the line.
    let place: String
    let words: String
    let files: [String: String]
  }

  private static let page = ThemeOnDisk.files["page.html"] ?? ""
  private static let sheet = ThemeOnDisk.files["default.css"] ?? ""

  /// The line of a text in which another begins.
  private static func line(of part: String, in text: String) -> Int {
    text.firstRange(of: part).map { range in
      text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
    } ?? 0
  }

  /// A page with something more in it.
  private static func more(_ markup: String, _ words: String) -> Row {
    let other = page.replacing("</main>", with: "\n\(markup)\n</main>")
    return Row(
      testDescription: markup, place: "page.html, line \(line(of: markup, in: other)): ",
      words: words, files: ThemeOnDisk.files.merging(["page.html": other]) { $1 })
  }

  /// A page in which a part is another.
  private static func changed(_ part: String, to other: String = "", _ words: String) -> Row {
    Row(
      testDescription: "\(part) -> \(other)", place: "page.html: ", words: words,
      files: ThemeOnDisk.files.merging(["page.html": page.replacing(part, with: other)]) { $1 })
  }

  /// A page in which a part is another, which is the fault.
  private static func other(_ part: String, _ other: String, _ words: String) -> Row {
    let page = page.replacing(part, with: other)
    return Row(
      testDescription: "\(part) -> \(other)",
      place: "page.html, line \(line(of: other, in: page)): ", words: words,
      files: ThemeOnDisk.files.merging(["page.html": page]) { $1 })
  }

  /// A stylesheet with a line more.
  private static func style(_ rule: String, _ words: String) -> Row {
    let other = "\(sheet)\n\(rule)\n"
    return Row(
      testDescription: rule, place: "default.css, line \(line(of: rule, in: other)): ",
      words: words, files: ThemeOnDisk.files.merging(["default.css": other]) { $1 })
  }

  /// A theme with other files; `nil` leaves one out.
  private static func files(
    _ name: String, _ changes: [String: String?], _ place: String, _ words: String
  ) -> Row {
    var files = ThemeOnDisk.files
    for (name, text) in changes { files[name] = text }
    return Row(testDescription: name, place: place, words: words, files: files)
  }

  private static let screen = "<input type=\"hidden\" name=\"screen\" value=\"{{screen}}\">"

  static let markup = [
    more("<script>alert(1)</script>", "has a script"),
    more("<script src=\"default.svg\"></script>", "has a script"),
    more("<SCRIPT\n>a</SCRIPT>", "has a script"),
    more("<p onclick=\"x()\">", "`onclick` is a script"),
    more("<p class=\"a\"\nonFocus=x>", "`onfocus` is a script"),
    more("<p title=\">\" onclick=\"x()\">", "`onclick` is a script"),
    more("<p title='a>b' onclick=x>", "`onclick` is a script"),
    more("<a href=\"javascript:alert(1)\">x</a>", "leads elsewhere: javascript:alert(1)"),
    more("<a href=\"https://evil.example/\">x</a>", "leads elsewhere"),
    more("<a href=\"//evil.example/\">x</a>", "leads elsewhere"),
    more("<a href='/other'>x</a>", "leads elsewhere"),
    more("<img src=\"https://evil.example/a.png\" alt=\"\">", "is not a picture of the theme"),
    more("<img src=\"missing.png\" alt=\"\">", "`missing.png` is not a picture of the theme"),
    more("<img src=\"../default.svg\" alt=\"\">", "is not a picture of the theme"),
    more("<img src=\"default.css\" alt=\"\">", "is not a picture of the theme"),
    more("<img srcset=\"https://evil.example/a.png\" alt=\"\">", "`srcset` leads elsewhere"),
    more("<iframe src=\"default.svg\"></iframe>", "shows another page"),
    more("<object data=\"default.svg\"></object>", "shows another page"),
    more("<embed src=\"default.svg\">", "shows another page"),
    more("<base href=\"/\">", "changes what addresses mean"),
    more("<meta http-equiv=\"refresh\" content=\"0;url=/\">", "is the page's own affair"),
    more("<form method=\"post\" action=\"https://evil.example/\">", "leads elsewhere"),
    more("<form method=\"post\" action=\"\">", "A form of a theme has no `action`"),
    more("<button formaction=\"#\">", "A form of a theme has no `formaction`"),
    more("<p style=\"color:red\">", "belongs into the stylesheet"),
    more("<style>p { color: red }</style>", "has a style outside of the stylesheet"),
    more("<link rel=\"stylesheet\" href=\"other.css\">", "is not the theme's stylesheet"),
    more("<link rel=\"preload\" href=\"default.css\">", "is not the theme's stylesheet"),
    more("{{{title}}}", "would show markup of others"),
    more("{{&title}}", "would show markup of others"),
    more("{{#title}}", "has no end"), more("{{/title}}", "ends no section"),
    more("{{unfinished", "has no “}}”"),
    more("{{deatil}}", "`{{deatil}}` is not a name of the page."),
    more("{{#filds}}\n{{/filds}}", "`{{filds}}` is not a name of the page."),
    more("{{^isBusy}}{{/isBusy}}", "`{{isBusy}}` is not a name of the page."),
    more("<me{{! } }}ta http-equiv=refresh content=0>", "is the page's own affair"),
    more("<!-- --!><meta http-equiv=refresh>", "A comment of a template is"),
    more("<a/href=https://evil.example/>x</a>", "leads elsewhere"),
    more("<svg><animate attributeName=\"href\"/></svg>", "changes attributes"),
    more("<svg><set attributeName=\"href\"/></svg>", "changes attributes"),
    more("<a href=\"{{detail}}\">x</a>", "`href` is no place for a value"),
    more("<{{heading}} onclick=x>", "makes a tag of a text"),
    more("<button formmethod=\"get\">", "has no `formmethod`"),
    more("<textarea><a x=\"</textarea>", "hides markup"),
    more("{{showPassword}}", "`{{showPassword}}` is not a name of the page."),
  ]

  /// Sections in each other, deeper than any page needs.
  @Test func `sections are not deeper than 32`() {
    let deep = String(repeating: "{{#title}}", count: 40)
    #expect(throws: Template.Fault.self) {
      try Template(deep + String(repeating: "{{/title}}", count: 40))
    }
  }

  static let parts = [
    changed("</body>", "has no `</body>`"), changed("</head>", "has no `</head>`"),
    changed("<link rel=\"stylesheet\" href=\"default.css\">", "has no `<link rel"),
    changed("<form method=\"post\"", to: "<form", "must have one form"),
    changed("<form method=\"post\"", to: "<form method=\"get\"", "must have one form"),
    changed("{{code}}", to: "{{title}}", "does not show {{code}}."),
    changed("{{name}}", to: "{{label}}", "does not show {{name}}."),
    changed("{{alert}}", "does not show {{alert}}."),
    changed("{{label}}", "does not show {{label}}."),
    changed("describedBy", to: "title", "does not show {{describedBy}}."),
    changed("errorID", to: "title", "does not show {{errorID}}."),
    other(screen, "<p>{{screen}}</p>", "`{{screen}}` belongs into `<input type=\"hidden\""),
    other(
      screen, "<input type=\"text\" name=\"screen\" value=\"{{screen}}\">", "`{{screen}}` belongs"),
    other(
      screen, "<input type=\"hidden\" name=\"page\" value=\"{{screen}}\">", "`{{screen}}` belongs"),
    other(screen, "<!-- \(screen) -->", "A comment of a template is"),
    changed(
      "id=\"{{id}}\" name=\"{{name}}\"", to: "id=\"{{id}}\" name=\"{{id}}\"",
      "has no `<input name=\"{{name}}\">`"),
    changed(
      "name=\"{{name}}\" value=\"{{value}}\"{{#isQuiet}}",
      to: "name=\"button\" value=\"{{value}}\"{{#isQuiet}}", "has no `<button name=\"{{name}}\">`"),
  ]

  static let styles = [
    style("@import \"other.css\";", "loads another stylesheet"),
    style("@IMPORT url(default.css);", "loads another stylesheet"),
    style("p { background: url(https://evil.example/a.png) }", "is not a picture of the theme"),
    style("p { background: url('http://evil.example/a.png') }", "is not a picture of the theme"),
    style("p { background: URL( \"//evil.example/a.png\" ) }", "is not a picture of the theme"),
    style("p { background: url(missing.png) }", "`url(missing.png)` is not a picture"),
    style("p { color: {{code}} }", "has no `{{`"), style("</style><script>", "no `</style`"),
  ]

  static let folders = [
    files("no page", ["page.html": nil], "", "exactly one file *.html; this one has none"),
    files("no stylesheet", ["default.css": nil], "", "exactly one file *.css; this one has none"),
    files(
      "two pages", ["b.html": page], "", "exactly one file *.html; this one has b.html, page.html"),
    files("two stylesheets", ["b.CSS": ""], "", "this one has b.CSS, default.css"),
    files("no picture", ["default.svg": nil], "page.html, line ", "`default.svg` is not a picture"),
    files("empty page", ["page.html": ""], "page.html: ", "has no `<title>`"),
  ]

  private func refusal(of theme: ThemeOnDisk) throws -> GatebookError {
    defer { withExtendedLifetime(theme) {} }
    return try refusal(of: theme.folder)
  }

  /// The refusal of a folder.
  private func refusal(of folder: String) throws -> GatebookError {
    let error = #expect(throws: GatebookError.self) { try LoginTheme(folder: folder) }
    let found = try #require(error)
    #expect(found.code == .configurationInvalid)
    #expect(found.setting == "theme")
    #expect(found.message.contains("The folder \(folder) is not a theme"))
    return found
  }

  @Test(arguments: markup + parts + styles + folders)
  func `it is refused with the file, the line and the reason`(_ row: Row) throws {
    let theme = try ThemeOnDisk(row.files)
    let message = try refusal(of: theme).message
    #expect(message.contains(row.words), "\(message)")
    #expect(message.contains(row.place), "\(message), not \(row.place)")
  }

  @Test func `a link to a file outside is refused`() throws {
    let (theme, other) = (try ThemeOnDisk(), try ThemeOnDisk())
    _ = Files.symbolicLink("\(theme.folder)/a.svg", to: "\(other.folder)/default.svg")
    defer { withExtendedLifetime(other) {} }
    let message = try refusal(of: theme).message
    #expect(message.contains("a.svg: It is a link."))
  }

  @Test func `a folder in it is refused`() throws {
    let theme = try ThemeOnDisk()
    #expect(Files.makeFolder("\(theme.folder)/pictures"))
    let message = try refusal(of: theme).message
    #expect(message.contains("pictures: It is not a file. A theme has no folders in it."))
  }

  @Test(arguments: ["a.png", "default.css"])
  func `more than 4 MiB are refused`(_ name: String) throws {
    let theme = try ThemeOnDisk()
    try theme.write(name, [UInt8](repeating: 0x20, count: 5 << 20))
    let message = try refusal(of: theme).message
    #expect(message.contains("\(name): The theme is larger than 4 MiB."), "\(message)")
  }

  @Test func `two files of 3 MiB are refused`() throws {
    let theme = try ThemeOnDisk()
    for name in ["a.png", "b.png"] {
      try theme.write(name, [UInt8](repeating: 0, count: 3 << 20))
    }
    let message = try refusal(of: theme).message
    #expect(message.contains("b.png: The theme is larger than 4 MiB."), "\(message)")
  }

  @Test func `more than 64 files are refused`() throws {
    let theme = try ThemeOnDisk()
    for number in 0..<62 { try theme.write("\(number).png", []) }
    #expect(try refusal(of: theme).message.contains("more than 64 files"))
  }

  @Test(arguments: ["page.html", "default.css"])
  func `what is not UTF-8 is refused`(_ name: String) throws {
    let theme = try ThemeOnDisk()
    try theme.write(name, [0x3C, 0xFF, 0x3E])
    let message = try refusal(of: theme).message
    #expect(message.contains("\(name): The file is not UTF-8."), "\(message)")
  }

  @Test func `what is no folder is refused`() throws {
    let theme = try ThemeOnDisk()
    let file = try refusal(of: "\(theme.folder)/page.html").message
    #expect(file.contains("It is not a folder."))
    #expect(try refusal(of: "\(theme.folder)/missing").message.contains("There is no such folder."))
    withExtendedLifetime(theme) {}
  }
}
