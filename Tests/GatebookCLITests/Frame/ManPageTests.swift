internal import Testing

@testable internal import GatebookCLI

@MainActor struct ManPageTests {
  private static let hostile = Help(
    "sample", "Print `a` and 'b'.", in: .use,
    details: [".so /etc/passwd", "'br and \\n, ~ and ^ and one ` alone"],
    positionals: [Positional("URL", "where to")],
    options: [.value("-o", "FILE", ".sp is no request")],
    exitNotes: [(.failed, "`--fail` was given")],
    examples: ["gatebook sample 'it''s' `x` -o \\\\", ".gatebook"])

  @Test func `every command has a page, and the program too`() {
    let pages = ManPage.all(CommandTable.commands.map { $0.help })
    #expect(pages.count == CommandTable.commands.count + 1)
    #expect(Set(pages.map { $0.file }).count == pages.count)
    #expect(pages[0].file == "gatebook.1")
    #expect(pages.contains { $0.file == "gatebook-login-http.1" })
    for command in CommandTable.commands {
      #expect(pages[0].text.contains("\\fB\(Self.hyphened(command.help.name))\\fR\n"))
    }
  }

  @Test func `text never counts as a request`() {
    let page = ManPage.all([Self.hostile])[1].text
    let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
    let names = Set(requests.compactMap { $0.split(separator: " ").first })
    #expect(names == [".TH", ".SH", ".B", ".PP", ".TP", ".nf", ".fi"])
  }

  @Test func `a page shows what the help says, to be copied`() throws {
    let shown = try Self.typeset(ManPage.all([Self.hostile])[1].text)
    for text in [
      "gatebook-sample - Print a and 'b'", "gatebook sample [options] URL", ".so /etc/passwd",
      "'br and \\n, ~ and ^ and one ` alone", "-o FILE", ".sp is no request", "--fail was given",
      "gatebook sample 'it''s' `x` -o \\\\", ".gatebook",
    ] { #expect(shown.contains(text), "\(text) in \(shown)") }
  }

  @Test func `the typesetter has no complaint about a page`() throws {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    for page in ManPage.all(CommandTable.commands.map { $0.help }) {
      try TextFile.write(Array(page.text.utf8), to: "\(folder.path)/\(page.file)")
    }
    let ending = try Repository.run(
      "groff -K utf8 -man -Tutf8 -ww \(ShellText.quoted(folder.path))/*.1 2>&1 >/dev/null")
    #expect(ending.exit == 0)
    #expect(ending.output.isEmpty, "\(ending.output)")
  }

  @Test func `no help and no completion offers what makes the pages`() async {
    let run = await InProcess.run([])
    #expect(!run.output.contains("__man"))
    let completion = Completion([""], among: CommandTable.commands)
    #expect(!completion.words.contains { $0.text.hasPrefix("__") })
  }

  private static func hyphened(_ text: String) -> String {
    text.split(separator: "-").joined(separator: "\\-")
  }

  /// What groff shows of a page on lines that are long enough for a paragraph.
  private static func typeset(_ text: String) throws -> String {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let path = "\(folder.path)/page.1"
    try TextFile.write(Array(text.utf8), to: path)
    let ending = try Repository.run(
      "groff -K utf8 -man -Tutf8 -ww -rLL=900n -rHY=0 -P-cbou \(ShellText.quoted(path))")
    try #require(ending.exit == 0, "\(ending.output)")
    return ending.output
  }
}
