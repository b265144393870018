import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct PreemptiveLoginTests {
  @Test func `a right login shows the balance`() throws {
    let run = try SampleProcess("PreemptiveLogin", answers: "john", "john", "balance", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    let lines = run.transcript.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("A fake server runs at http://127.0.0.1:") == true)
    #expect(
      lines.dropFirst() == [
        "Name (or quit):", "Password:", "Hello, john.", "balance, logout or quit:",
        "Balance: 19938.80",
        "balance, logout or quit:",
      ])
  }

  @Test func `wrong answers count down on the form, then a right one is answered`() throws {
    let run = try SampleProcess(
      "PreemptiveLogin", answers: "john", "x", "john", "y", "john", "john", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(
      run.said.dropFirst() == [
        "Wrong Credentials", "Remaining Attempts: 2", "Wrong Credentials", "Remaining Attempts: 1",
        "Hello, john.",
      ])
  }

  @Test func `a check that is blocked says so once, and refuses the right password too`() throws {
    let run = try SampleProcess(
      "PreemptiveLogin", answers: "john", "x", "john", "x", "john", "x", "john", "john")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(run.said.suffix(2) == ["Account blocked", "Account blocked"])
    #expect(!run.transcript.contains("Hello"))
  }

  @Test func `an empty field is asked for again before anything is sent`() throws {
    let run = try SampleProcess("PreemptiveLogin", answers: "john", "", "john", "john", "quit")
    #expect(run.said.dropFirst() == ["Give both.", "Hello, john."])
  }

  @Test func `after a logout another person logs in with the same form`() throws {
    let run = try SampleProcess(
      "PreemptiveLogin",
      answers: "john", "john", "logout", "mary", "mary", "balance", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(
      run.said.dropFirst() == ["Hello, john.", "Logged out.", "Hello, mary.", "Balance: 19938.80"])
  }

  @Test func `an end of the input while the form is open ends it well`() throws {
    let run = try SampleProcess("PreemptiveLogin", answers: "john", "x")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(run.said.last == "Remaining Attempts: 2")
  }

  @Test func `quit at the name leaves, and is nobody's name`() throws {
    let run = try SampleProcess("PreemptiveLogin", answers: "quit", "john", "john")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(run.transcript.hasSuffix("Name (or quit):\n"))
  }

  @Test(arguments: [
    (["--nonsense", "x"], "Unknown option `--nonsense`."),
    (["--server"], "`--server` needs a value."),
    (["--server", "nonsense"], "`--server` needs a URL such as http://127.0.0.1:9080/mfp."),
  ])
  func `arguments that it does not understand end it with 2, and it says which`(
    _ arguments: [String], _ what: String
  ) throws {
    let run = try SampleProcess("PreemptiveLogin", arguments)
    #expect(run.exit == 2)
    #expect(run.said == [what, Self.usage])
  }

  @Test(arguments: ["PreemptiveLogin", "RememberMe"])
  func `--help is no mistake`(_ program: String) throws {
    let run = try SampleProcess(program, ["--server", "nonsense", "--help"])
    #expect(run.exit == 0)
    #expect(run.said.count == 1)
    #expect(run.said.first?.hasPrefix("usage: \(program) ") == true)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it and leaves no folder`(_ signal: Int32) throws {
    let folder = try SampleFolder()
    let run = try SampleProcess(
      "PreemptiveLogin", throwingAwayIn: folder.path, endedBy: signal, answers: "john", "john")
    #expect(run.exit == 130, "\(run.transcript)")
    #expect(run.transcript.contains("Hello, john."))
    #expect(SampleFolder.names(in: folder.path).isEmpty)
  }

  private static let usage = "usage: PreemptiveLogin [--server URL] [--app ID] [--book FOLDER]"
}
