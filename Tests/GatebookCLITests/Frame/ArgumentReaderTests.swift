internal import Testing

@testable internal import GatebookCLI

@MainActor struct ArgumentReaderTests {
  private static let plain = #"{"url":"u","fields":[],"fail":false,"wait":10,"book":"/b"}"# + "\n"

  @Test(arguments: [
    ["sample", "one", "u", "--book", "/b"],
    ["--book", "/b", "sample", "one", "u"],
    ["--book=/b", "sample", "one", "u"],
    ["sample", "--book=/b", "one", "u"],
    ["sample", "one", "--book", "/b", "--", "u"],
    ["--book", "/b", "--", "sample", "one", "u"],
  ])
  func `options may come anywhere and take their value in both forms`(_ line: [String]) async {
    let run = await InProcess.run(line)
    #expect(run.output == Self.plain)
    #expect(run.exit == .done)
  }

  @Test func `every kind of argument arrives`() async {
    let run = await InProcess.run([
      "sample", "one", "-XPUT", "-H", "A: 1", "-H", "--B: 2", "--mode=cookie", "--label", "a=b",
      "--limit", "7", "--fail", "--fail", "u", "--wait", "3", "--book", "/b", "--", "--mode",
    ])
    #expect(
      run.output
        == #"{"url":"u","more":"--mode","mode":"cookie","label":"a=b","limit":7,"method":"PUT","#
        + #""fields":["A: 1","--B: 2"],"fail":true,"wait":3,"book":"/b"}"# + "\n")
  }

  @Test(arguments: [
    (["smaple", "one", "u"], "Did you mean `gatebook sample`?"),
    (["sample", "tow"], "Did you mean `gatebook sample two`?"),
    (["sample"], "Add `one` or `two`."),
    (["nothing-like-it"], "Unknown command."),
    (["help", "smaple"], "Did you mean `gatebook sample`?"),
    (["two"], "Did you mean `gatebook sample two`? See `gatebook help sample two`."),
    (["help", "two"], "Did you mean `gatebook sample two`? See `gatebook help sample two`."),
    (["sample", "one", "u", "--lable", "x"], "Did you mean `--label`?"),
    (["sample", "one", "u", "--jsn"], "Did you mean `--json`?"),
    (["sample", "one", "u", "--zzzzzzz"], "has no option `--zzzzzzz`"),
    (["sample", "one", "u", "--mode", "cokie"], "Did you mean `cookie`?"),
    (["sample", "one", "u", "--mode"], "Write `--mode basic|cookie`."),
    (["sample", "one", "u", "--label", "--fail"], "an option follows"),
    (["sample", "one", "u", "--label", "a", "--label", "b"], "is given twice"),
    (["sample", "one", "u", "--fail=yes"], "does not take a value"),
    (["sample", "one", "u", "--limit", "0"], "must be a whole number from 1 to 100."),
    (["sample", "one", "u", "--wait", "soon"], "must be a whole number"),
    (["sample", "one"], "needs URL"),
    (["sample", "one", "u", "v", "w"], "takes only these arguments: URL [MORE]"),
    (["sample", "two", "u"], "takes no arguments"),
    (["--fail", "sample", "one", "u"], "Write the command first, then its options."),
    (["sample", "one", "u", "--key", "keyring"], "`file:PATH`"),
    (["sample", "one", "u", "--key", "file:"], "`file:PATH`"),
  ])
  func `a wrong line ends with 2 and says what was meant`(
    _ line: [String], _ hint: String
  ) async {
    let run = await InProcess.run(line)
    #expect(run.exit == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(hint), "\(run.errors)")
  }

  @Test(arguments: [
    ["sample", "one", "u", "--password", "hunter2"], ["sample", "one", "--passwrd=hunter2", "u"],
    ["sample", "one", "u", "-phunter2"], ["sample", "two", "hunter2"], ["hunter2"],
    ["sample", "one", "u", "--mode=hunter2"], ["sample", "one", "u", "--limit=hunter2"],
    ["--token=hunter2", "sample", "one"], ["sample", "hunter2"],
    ["--key=hunter2", "sample", "two"],
  ])
  func `no error repeats a value`(_ line: [String]) async {
    let run = await InProcess.run(line)
    #expect(run.exit == .usage)
    #expect(!run.errors.contains("hunter2"))
  }

  @Test func `a password as an argument is refused with the reason`() async {
    let run = await InProcess.run(["sample", "one", "u", "--password", "x"])
    #expect(run.errors.contains("`--password` does not exist"))
    #expect(run.errors.contains("other processes can see arguments"))
  }
}
