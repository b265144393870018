internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

@MainActor struct ExitCodeTests {
  @Test(arguments: [
    ("credentials.refused", 3), ("login.unprovable", 3), ("login.cleartext", 3),
    ("login.inProgress", 3), ("session.refused", 3), ("token.refused", 3), ("code.refused", 3),
    ("outcome.unknown", 4), ("identity.mismatch", 8), ("scope.missing", 3), ("origin.foreign", 8),
    ("challenge.blocked", 3), ("challenge.unhandled", 3), ("challenge.cancelled", 130),
    ("challenge.timedOut", 3), ("server.unavailable", 4), ("server.refused", 4),
    ("server.moved", 4), ("content.unexpected", 1), ("configuration.invalid", 1),
    ("state.mismatch", 1), ("network.unreachable", 4), ("tls.untrusted", 8), ("tls.keyChanged", 8),
    ("limit.exceeded", 1), ("storage.full", 1), ("storage.none", 7), ("storage.unreadable", 7),
    ("storage.readOnly", 7),
    ("storage.busy", 6), ("storage.newer", 7), ("storage.damaged", 5), ("storage.idReused", 1),
    ("storage.forked", 1), ("key.missing", 7), ("key.wrong", 7), ("key.locked", 7),
    ("precondition.failed", 1), ("cancelled", 130), ("tls.anythingNew", 8), ("unheard.of", 1),
  ])
  func `every failure has the exit of the contract`(_ code: String, _ exit: Int32) {
    #expect(ExitCode(FailureCode(rawValue: code)).rawValue == exit)
  }

  @Test func `a failed run prints what it had, then the error, and ends as the code says`() async {
    let run = await InProcess.run(["sample", "two"])
    #expect(run.exit == .serverTrouble)
    #expect(run.output == "before\n")
    #expect(
      run.errors == """
        gatebook: The server could not be reached. (connection refused)
          The session stays.
          Try again.

        """)
  }

  @Test func `with --json an error is one object on standard error`() async {
    let run = await InProcess.run(["sample", "two", "--json"])
    #expect(
      run.errors
        == #"{"error":{"code":"network.unreachable","message":"The server could not be reached. "#
        + #"(connection refused)","kept":"The session stays.","remedy":"Try again."}}"# + "\n")
  }

  @Test func `with --json a wrong line is one object too`() async {
    let run = await InProcess.run(["sample", "two", "--json", "--nonsense"])
    #expect(run.exit == .usage)
    #expect(run.errors.hasPrefix(#"{"error":{"code":"configuration.invalid","message":"#))
    #expect(run.errors.hasSuffix("}}\n"))
  }

  @Test func `an argument that is no text names nothing else`() async {
    let run = await InProcess.run(["sample", nil])
    #expect(run.exit == .usage)
    #expect(run.errors.contains("An argument is not UTF-8 text."), "\(run.errors)")
  }
}
