import Testing

@Suite(.timeLimit(.minutes(2))) struct PreemptiveLoginTests {
  @Test func `a right login shows the balance`() throws {
    let run = try SampleProcess("PreemptiveLogin", answers: "john", "john", "balance", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    let lines = run.transcript.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("A fake server answers at http://127.0.0.1:") == true)
    #expect(
      lines.dropFirst() == [
        "Name:", "Password:", "Hello, john.", "balance, logout or quit:", "Balance: 19938.80",
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

  @Test(arguments: [["--nonsense", "x"], ["--server"], ["--server", "no URL"]])
  func `arguments that it does not understand end it with 2`(_ arguments: [String]) throws {
    let run = try SampleProcess("PreemptiveLogin", arguments)
    #expect(run.exit == 2)
    #expect(run.said == ["usage: PreemptiveLogin [--server URL] [--app ID] [--book FOLDER]"])
  }
}
