internal import Testing

@testable internal import GatebookCLI

@MainActor struct HelpTests {
  @Test(arguments: [[], ["help"], ["--help"], ["help", "help"], ["--json"]])
  func `nothing to do prints the overview and ends with 0`(_ line: [String]) async {
    let run = await InProcess.run(line)
    #expect(run.exit == .done)
    #expect(run.output.contains("Usage: gatebook COMMAND [options]"))
    #expect(run.output.contains("  sample two *  Fail."))
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: [
    ["help", "sample", "one"], ["sample", "one", "--help"], ["sample", "one", "--help", "--fail"],
    ["--help", "sample", "one"],
  ])
  func `the help of a command is the same by every way`(_ line: [String]) async {
    let run = await InProcess.run(line)
    #expect(run.exit == .done)
    #expect(
      run.output == """
        gatebook sample one: Print what was given.

        Usage: gatebook sample one [options] URL [MORE]

        It only prints.

        Arguments:
          URL   where to
          MORE  anything

        Options:
          --mode basic|cookie  which way
          --label NAME         what to call it
          --limit N            how many
          -H FIELD             a header field
          -X M                 the method
          --fail               end with 1 for 400 and more

        Options and exit codes of every command: see `gatebook help`.

        Example:
          gatebook sample one https://example.com/

        """)
  }

  @Test(arguments: [["help", "sample"], ["sample", "--help"]])
  func `the help of a group lists its commands`(_ line: [String]) async {
    let run = await InProcess.run(line)
    #expect(
      run.output == """
        gatebook sample one  Print what was given.
        gatebook sample two  Fail.

        `gatebook help sample COMMAND` explains one of them.

        """)
  }

  @Test func `the version is one line`() async {
    let run = await InProcess.run(["--version"])
    #expect(run.output == "gatebook \(CommandTable.version)\n")
  }

  @Test func `no line of any help is wider than a terminal`() {
    let helps = CommandTable.commands.map { $0.help }
    for columns in [60, 80, 120] {
      let text = HelpText(columns: columns)
      let pages = [text.overview(helps)] + helps.map { text.text([$0]) }
      for line in pages.flatMap({ $0.split(separator: "\n") })
      where !line.hasPrefix("  gatebook") && line.contains(" ") {
        // Option names are never broken.
        let isName =
          line.hasPrefix("  -") || line.hasPrefix("Usage: ")
          || line.split(separator: " ").count == 1
        #expect(line.count <= columns || isName, "\(line)")
      }
    }
  }

  @Test(arguments: CommandTable.commands.map { $0.help.name })
  func `every example is a command line of its command`(_ name: String) throws {
    let help = try #require(CommandTable.commands.first { $0.help.name == name }?.help)
    #expect(!help.examples.isEmpty)
    for example in help.examples {
      let line = example.split(separator: " | ")[0]
      let order = try ArgumentReader.read(
        Array(Self.words(String(line)).dropFirst()), CommandTable.commands)
      guard case .run(let command, _) = order else {
        Issue.record("\(example)")
        continue
      }
      #expect(command.help.name == name, "\(example)")
    }
  }

  /// The words of a line, as a shell reads them; apostrophes quote.
  private static func words(_ line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .reduce(into: [""]) { words, part in
        guard part.offset % 2 == 0 else {
          words[words.count - 1] += part.element
          return
        }
        let parts = part.element.split(separator: " ", omittingEmptySubsequences: false)
        words[words.count - 1] += parts[0]
        words += parts.dropFirst().map(String.init)
      }.filter { !$0.isEmpty }
  }
}
