import GatebookFakes
import GatebookTestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RememberMeTests {
  /// A server that outlives the runs, and one book for all of them.
  private struct World {
    let clock = FixedClock()
    let folder: SampleFolder
    let server: FakeMobileFirstServer

    init() throws {
      folder = try SampleFolder()
      var application = FakeMobileFirstApplication.sample
      // Without a life of its own a token is never served again: the server has to remember.
      application.maxTokenExpiration = .zero
      server = try FakeMobileFirstServer(application: application, clock: clock)
      try server.start()
    }

    var arguments: [String] { ["--server", "\(server.url)/mfp", "--book", folder.path] }
  }

  @Test func `who is remembered comes in without a form, until the window ends`() throws {
    let world = try World()
    let first = try SampleProcess(
      "RememberMe", world.arguments, answers: "john", "john", "y", "quit")
    #expect(first.exit == 0, "\(first.transcript)")
    #expect(
      first.transcript == """
        Remaining Attempts: 3
        Name (or quit):
        Password:
        Remember me (y or n):
        Hello, john.
        logout or quit:

        """)

    world.clock.advance(by: .seconds(61))
    let second = try SampleProcess("RememberMe", world.arguments, answers: "quit")
    #expect(second.transcript == "Hello, john.\nlogout or quit:\n")
    #expect(world.server.clientIDs == ["client-1"])

    world.clock.advance(by: .seconds(61))
    let third = try SampleProcess("RememberMe", world.arguments)
    #expect(third.exit == 0, "\(third.transcript)")
    #expect(third.transcript == "Remaining Attempts: 3\nName (or quit):\n")
  }

  @Test func `who is not remembered meets the form when the success is over`() throws {
    let world = try World()
    let first = try SampleProcess(
      "RememberMe", world.arguments, answers: "john", "john", "n", "quit")
    #expect(first.said.last == "Hello, john.")
    world.clock.advance(by: .seconds(61))
    let second = try SampleProcess("RememberMe", world.arguments)
    #expect(second.transcript == "Remaining Attempts: 3\nName (or quit):\n")
  }

  @Test func `an unclear answer is asked for again`() throws {
    let world = try World()
    let run = try SampleProcess(
      "RememberMe", world.arguments, answers: "john", "john", "perhaps", "Y", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(
      run.transcript.contains(
        "Remember me (y or n):\nAnswer y or n.\nRemember me (y or n):\nHello, john.\n"))
    world.clock.advance(by: .seconds(61))
    let second = try SampleProcess("RememberMe", world.arguments, answers: "quit")
    #expect(second.said == ["Hello, john."])
  }

  @Test func `a logout forgets the name here and the window there`() throws {
    let world = try World()
    let first = try SampleProcess(
      "RememberMe", world.arguments, answers: "john", "john", "y", "logout")
    #expect(first.exit == 0, "\(first.transcript)")
    #expect(first.said.last == "Logged out.")
    #expect(first.transcript.hasSuffix("Name (or quit):\n"))
    let second = try SampleProcess("RememberMe", world.arguments)
    #expect(second.transcript == "Remaining Attempts: 3\nName (or quit):\n")
  }

  @Test func `another person at the form gets an account of their own`() throws {
    let world = try World()
    _ = try SampleProcess("RememberMe", world.arguments, answers: "john", "john", "n", "quit")
    world.clock.advance(by: .seconds(61))
    let second = try SampleProcess(
      "RememberMe", world.arguments, answers: "mary", "mary", "n", "mary", "mary", "n", "quit")
    #expect(second.exit == 0, "\(second.transcript)")
    #expect(second.transcript.contains("a different user than the account's"))
    #expect(second.said.last == "Hello, mary.")
    #expect(world.server.clientIDs == ["client-1", "client-2"])
  }

  @Test func `a server that is away does not log anybody out`() throws {
    let world = try World()
    _ = try SampleProcess("RememberMe", world.arguments, answers: "john", "john", "y", "quit")
    world.server.stop()
    let second = try SampleProcess("RememberMe", world.arguments)
    #expect(second.transcript.contains("No connection could be made"))
    try world.server.start()
    let third = try SampleProcess("RememberMe", world.arguments, answers: "quit")
    #expect(third.transcript == "Hello, john.\nlogout or quit:\n")
  }

  @Test func `without options it needs no server and leaves no folder`() throws {
    let folder = try SampleFolder()
    let run = try SampleProcess(
      "RememberMe", throwingAwayIn: folder.path, answers: "john", "john", "n", "quit")
    #expect(run.exit == 0, "\(run.transcript)")
    #expect(run.said.first?.hasPrefix("A fake server runs at http://127.0.0.1:") == true)
    #expect(run.said.last == "Hello, john.")
    #expect(SampleFolder.names(in: folder.path).isEmpty)
  }
}
