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

        Options of every command: see `gatebook help`.

        Exits:
          0  done
          2  wrong usage, unknown or ambiguous account

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

        `gatebook help sample` and one word more says more about it.

        """)
  }

  @Test func `the version is one line`() async {
    let run = await InProcess.run(["--version"])
    #expect(run.output == "gatebook \(CommandTable.version)\n")
  }

  @Test func `no line of any help is wider than a terminal`() {
    let helps = CommandTable.commands.map { $0.help }
    let pages = [HelpText.overview(helps)] + helps.map { HelpText.text([$0]) }
    for line in pages.flatMap({ $0.split(separator: "\n") }) where !line.hasPrefix("  gatebook") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
