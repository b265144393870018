internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook agent --confirm`.
struct AgentConfirmTests {
  private let stage: AgentScene

  init() throws { stage = try AgentScene() }

  private var scene: Scene { stage.scene }
  private var heard: String { "\(scene.folder)/heard" }

  /// A program that notes each question, and answers with an exit status.
  private func asker(_ exit: Int) throws -> String {
    let path = "\(scene.folder)/asker"
    try TextFile.write(
      Array(
        "#!/bin/sh\nprintf '%s: %s\\n' \"$SSH_ASKPASS_PROMPT\" \"$1\" >>\(heard)\nexit \(exit)\n"
          .utf8),
      to: path)
    try #require(chmod(path, 0o700) == 0)
    return path
  }

  private func questions() -> [Substring] {
    Files.text(of: heard).split(separator: "\n")
  }

  @Test func `a yes counts for the program until the lock`() throws {
    try scene.logInForTokens()
    try stage.start(["--confirm"], environment: ["SSH_ASKPASS": try asker(0)])
    let processes = try (0..<4).map { _ in try scene.start(["token"], environment: stage.using) }
    let live = try scene.liveToken()
    for process in processes { #expect(process.end().output == live) }
    #expect(questions().count == 1, "\(questions())")
    let question = try #require(questions().first)
    #expect(question.hasPrefix("confirm: /"), "\(question)")
    #expect(question.contains("process \(ThisProcess.id)"))
    // The shell is another program than these tests.
    let shell = try scene.start(
      ["token"], ChildProcess.Streams(shell: #""$@"; exit"#), environment: stage.using
    ).end()
    #expect(shell.output == live)
    #expect(questions().count == 2 && questions()[1].contains("sh (process"), "\(questions())")
    _ = try stage.curl(scene.portal.url + "/a")
    #expect(questions().count == 3 && questions()[2].contains("/curl (process"), "\(questions())")
    #expect(try stage.run("agent", "lock").exit == 0)
    #expect(try stage.run("agent", "unlock").exit == 0)
    #expect(try stage.run("token").output == live)
    #expect(questions().count == 4)
  }

  @Test func `a no is a no in each protocol, and is recorded without a secret`() throws {
    try scene.logInForTokens()
    try stage.start(["--confirm", "--ask-with", try asker(1)])
    let host = String(scene.portal.url.dropFirst("http://".count))
    let token = try stage.run("token")
    #expect(token.exit == 1 && token.output.isEmpty)
    #expect(token.errors.contains("Nobody has allowed"), "\(token.errors)")
    let git = try stage.run("credential", "git", "get", input: "protocol=http\nhost=\(host)\n\n")
    #expect(git.output.isEmpty && git.errors.split(separator: "\n").count == 1)
    #expect(
      try stage.curl("-i", scene.portal.url + "/a").hasPrefix("HTTP/1.1 403 "))
    #expect(questions().count == 2, "\(questions())")
    let log = try scene.run("log", "--json", "--kind", "agent.refused").output
    #expect(log.contains(#""program":"curl""#) && log.contains(#""reason":"confirm""#), "\(log)")
    #expect(try stage.status()["refused"]?.integer == 3)
  }

  @Test @MainActor func `a person gets one question after the other`() async throws {
    let path = "\(scene.folder)/slow"
    let go = "\(scene.folder)/go"
    try TextFile.write(
      Array("#!/bin/sh\necho \"$1\" >>\(heard)\nread -r answer <\(go)\n".utf8), to: path)
    try #require(chmod(path, 0o700) == 0 && mkfifo(go, 0o600) == 0)
    let clock = SystemClock()
    let confirmation = Confirmation(asker: path, clock: clock)
    let answers = ["git", "curl"].map { name in
      Task { @MainActor in
        await confirmation.allows(CallingProgram(process: 1, path: "/usr/bin/\(name)"), in: "book")
      }
    }
    while questions().isEmpty { await clock.pause(for: .milliseconds(5)) }
    await clock.pause(for: .milliseconds(50))
    #expect(questions().count == 1, "\(questions())")
    for (number, answer) in answers.enumerated() {
      while questions().count <= number { await clock.pause(for: .milliseconds(5)) }
      try await Self.answer(go)
      #expect(await answer.value)
    }
    #expect(questions().count == 2)
  }

  /// Writes a line to who waits for it.
  private nonisolated static func answer(_ path: String) async throws {
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0)
    #expect(Glibc.write(descriptor, "yes\n", 4) == 4)
    close(descriptor)
  }

  @Test func `without a program that asks it does not start`() throws {
    try scene.logInForTokens()
    for line in [["--confirm"], ["--confirm", "--ask-with", "/none"], ["--ask-with", "true"]] {
      let ending = try scene.start(["agent"] + line, environment: stage.using).end()
      #expect(ending.exit == 2, "\(ending.errors)")
      #expect(ending.errors.contains("--ask-with") || ending.errors.contains("--confirm"))
    }
  }

  @Test @MainActor func `without an answer in time it is a no, and a lock ends the question`()
    async throws
  {
    let path = "\(scene.folder)/silent"
    try TextFile.write(Array("#!/bin/sh\nexec sleep 60\n".utf8), to: path)
    try #require(chmod(path, 0o700) == 0)
    let program = CallingProgram(process: 1, path: "/usr/bin/git")
    let clock = SystemClock()
    let short = Confirmation(asker: path, clock: clock, limit: .milliseconds(50))
    #expect(await !short.allows(program, in: "book"))
    let long = Confirmation(asker: path, clock: clock)
    let question = Task { @MainActor in await long.allows(program, in: "book") }
    await clock.pause(for: .milliseconds(20))
    long.forget()
    #expect(await !question.value)
  }
}
