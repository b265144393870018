/// Writes manual pages from the table, in the language of roff (man(7)).
struct ManPage {
  /// The pages of all commands, and the one of the program first.
  ///
  /// - Parameter table: All commands.
  /// - Returns: The name of each page's file, and its text.
  static func all(_ table: [Help]) -> [(file: String, text: String)] {
    [(file("gatebook"), overview(table))]
      + table.map { (file(name($0)), page($0, among: table)) }
  }

  private static func file(_ name: String) -> String { "\(name).1" }

  /// The name of a command's page: `gatebook-login-http`.
  private static func name(_ help: Help) -> String {
    (["gatebook"] + help.words).joined(separator: "-")
  }

  // MARK: Pages

  private static func overview(_ table: [Help]) -> String {
    var page = ManPage("gatebook", "sessions of many accounts in one file that can say why")
    page.section("Synopsis")
    page.line(".B gatebook", then: "COMMAND [options]")
    page.section("Description")
    page.paragraph(HelpText.purpose)
    page.paragraph("Each command has a manual page of its own, such as \(name(table[0]))(1).")
    page.section("Commands")
    for group in Help.Group.allCases {
      let commands = table.filter { $0.group == group }
      guard !commands.isEmpty else { continue }
      page.heading(".SS", group.rawValue)
      page.list(commands.map { ($0.name, $0.summary) })
    }
    page.section("Options of every command")
    page.list(GlobalOptions.all.map { ($0.usage, $0.note) })
    page.section("Exit status")
    page.list(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    return page.text
  }

  private static func page(_ help: Help, among table: [Help]) -> String {
    var page = ManPage(
      name(help), String(help.summary.dropLast(help.summary.hasSuffix(".") ? 1 : 0)))
    page.section("Synopsis")
    let own = help.options.isEmpty ? [] : ["[options]"]
    page.line(
      ".B gatebook \(roff(help.name))",
      then: (own + help.positionals.map { $0.usage }).joined(separator: " "))
    page.section("Description")
    // The name line has the summary already.
    for paragraph in help.details.isEmpty ? [help.summary] : help.details {
      page.paragraph(paragraph)
    }
    if help.isAudit { page.paragraph(HelpText.auditing) }
    page.list(help.positionals.map { ($0.name, $0.note) }, under: "Arguments")
    page.list(help.options.map { ($0.usage, $0.note) }, under: "Options")
    page.list(
      help.exitNotes.map { ("\($0.exit.rawValue)", $0.meaning) }, under: "Exit status")
    page.section("Examples")
    page.lines(help.examples)
    page.section("See also")
    page.paragraph("gatebook(1) has the options and exit codes of every command.")
    let related = table.filter { $0.words[0] == help.words[0] && $0.name != help.name }
    if !related.isEmpty {
      page.paragraph(related.map { "\(name($0))(1)" }.joined(separator: ", "))
    }
    return page.text
  }

  // MARK: The language

  private(set) var text: String

  private init(_ name: String, _ summary: String) {
    text = """
      .TH "\(Self.roff(name.uppercased()))" 1 "" "gatebook \(CommandTable.version)" "Gatebook"
      .SH NAME
      \(Self.roff(name)) \\- \(Self.prose(summary))

      """
  }

  private mutating func section(_ title: String) {
    heading(".SH", title.uppercased())
  }

  private mutating func heading(_ request: String, _ title: String) {
    text += "\(request) \"\(Self.roff(title))\"\n"
  }

  /// A request, and the rest of its line as plain text.
  private mutating func line(_ request: String, then rest: String) {
    text += request + "\n" + (rest.isEmpty ? "" : Self.roff(rest) + "\n")
  }

  private mutating func paragraph(_ words: String) {
    text += ".PP\n\(Self.prose(words))\n"
  }

  private mutating func list(_ items: [(name: String, note: String)], under title: String) {
    guard !items.isEmpty else { return }
    section(title)
    list(items)
  }

  private mutating func list(_ items: [(name: String, note: String)]) {
    for item in items {
      text += ".TP\n\\fB\(Self.roff(item.name))\\fR\n\(Self.prose(item.note))\n"
    }
  }

  /// Lines that stay as they are.
  private mutating func lines(_ lines: [String]) {
    text += ".nf\n" + lines.map { Self.roff($0) + "\n" }.joined() + ".fi\n"
  }

  /// Prose: what is between backticks becomes bold.
  private static func prose(_ words: String) -> String {
    let parts = words.split(separator: "`", omittingEmptySubsequences: false)
    // One backtick alone is itself.
    guard parts.count % 2 == 1 else { return roff(words) }
    return parts.enumerated().map { index, part in
      // A dot is a request only where a line begins, which is not after `\fB`.
      let text = index == 0 ? roff(part) : escaped(part)
      return index % 2 == 1 ? "\\fB\(text)\\fR" : text
    }.joined()
  }

  /// Text that roff prints unchanged, also where a line of it begins like a request.
  private static func roff(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + escaped(line)
    }.joined(separator: "\n")
  }

  /// Characters that roff would obey, or print as their typographic kin.
  private static func escaped(_ text: some StringProtocol) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      default: String(character)
      }
    }.joined()
  }
}
