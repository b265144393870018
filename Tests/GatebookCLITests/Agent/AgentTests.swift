internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook agent`, and what other processes hand over to it.
struct AgentTests {
  private let stage: AgentScene

  init() throws { stage = try AgentScene() }

  private var scene: Scene { stage.scene }

  private static let calls: [(line: [String], input: String)] = [
    (["token"], ""), (["token", "--json"], ""), (["token", "--format", "header"], ""),
    (["token", "--format", "xoauth2", "--user", "ada"], ""), (["token", "--scope", "none"], ""),
    (["token", "--account", "none"], ""), (["token", "--min-lifetime", "100000"], ""),
    (["token", "--verbose", "--utc", "--quiet"], ""),
    (["credential", "git", "get"], "protocol=http\nhost=HOST\n\n"),
    (["credential", "git", "get"], "protocol=http\nhost=other.example\n\n"),
    (["credential", "git", "get"], "a hostile line"),
    (["credential", "git", "store"], "protocol=http\nhost=HOST\nusername=a\npassword=b\n\n"),
    (["credential", "docker", "get"], "HOST\n"), (["credential", "docker", "list"], ""),
    (["credential", "docker", "get"], "registry.example\n"),
    (["credential", "docker", "store"], "{"),
    (["credential", "keyring", "get", "HOST", "oauth2"], ""),
    (["credential", "keyring", "get", "HOST", "ada", "--output", "json"], ""),
    (["credential", "kubectl"], ""),
  ]

  @Test func `answers are the same with it and without it`() throws {
    try scene.logInForTokens(["--label", "work"])
    try stage.start()
    let host = String(scene.portal.url.dropFirst("http://".count))
    for (number, call) in Self.calls.enumerated() {
      let line = call.line.map { $0.replacing("HOST", with: host) }
      let input = call.input.replacing("HOST", with: host)
      let run = { (agent: String) in
        try scene.start(
          line, ChildProcess.Streams(input: input), environment: ["GATEBOOK_AGENT": agent]
        ).end()
      }
      let own = try run("")
      #expect(try stage.answers() == number)
      let handed = try run(stage.path)
      #expect(try stage.answers() == number + 1, "\(line)")
      #expect(handed.exit == own.exit, "\(line) \(handed.errors)")
      // When a token expires is computed again each time, from two clocks.
      let fraction = /\.[0-9]{6}Z/
      #expect(
        handed.output.replacing(fraction, with: "Z") == own.output.replacing(fraction, with: "Z"),
        "\(line)")
      #expect(handed.errors == own.errors, "\(line)")
    }
    #expect(try stage.end().exit == 0)
  }

  @Test func `kubectl's question and the environment's account reach it`() throws {
    try scene.logInForTokens(["--label", "work"])
    try scene.logIn(.ben, label: "ben")
    try stage.start()
    let info =
      #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{}}"#
    let environment = ["KUBERNETES_EXEC_INFO": info, "GATEBOOK_ACCOUNT": "work"]
    let ending = try stage.run("credential", "kubectl", environment: environment)
    #expect(ending.output.contains(#""kind":"ExecCredential""#), "\(ending.errors)")
    let wrong = try stage.run(
      "credential", "kubectl",
      environment: environment.merging(["KUBERNETES_EXEC_INFO": "{"]) { $1 })
    #expect(wrong.exit == 1 && wrong.errors.contains("ExecCredential"))
    #expect(try stage.run("token", environment: ["GATEBOOK_ACCOUNT": "work"]).exit == 0)
    #expect(try stage.run("token").exit != 0)
    #expect(try stage.answers() == 4)
  }

  @Test func `thirty-two processes get one renewal`() throws {
    try scene.logInForTokens()
    try stage.start()
    try scene.expire()
    let sent = scene.refreshCount
    let processes = try (0..<32).map { _ in
      try scene.start(["token"], environment: stage.using)
    }
    let endings = processes.map { $0.end() }
    #expect(endings.allSatisfy { $0.exit == 0 }, "\(endings.map(\.errors))")
    let live = try scene.liveToken()
    #expect(endings.allSatisfy { $0.output == live })
    #expect(scene.refreshCount == sent + 1)
    #expect(try stage.answers() == 32)
    #expect(try stage.status()["renewed"]?.integer == 1)
  }

  @Test func `a session is renewed before anybody uses it, and a later login is noticed`() throws {
    try scene.logIn(.ben)
    try stage.start()
    let sent = scene.refreshCount
    try scene.logInForTokens(["--label", "late"])
    try scene.expire()
    try scene.wait(forRefreshes: sent + 2)
    #expect(try stage.run("token", "--account", "late").output == (try scene.liveToken()))
    #expect(try stage.answers() == 1)
    #expect(scene.refreshCount == sent + 2)
    #expect(try scene.run("logout", "late").exit == 0)
    #expect(try stage.run("token", "--account", "late").exit == 3)
  }

  @Test func `another book, key, proxy or zone is none of its business`() throws {
    try scene.logInForTokens()
    try stage.start()
    let copy = "\(scene.folder)/copy"
    #expect(try scene.run("backup", copy).exit == 0)
    let key = try scene.keyFile()
    #expect(try stage.run("token", "--book", copy).exit == 0)
    #expect(try stage.run("token", "--key", "file:\(key)").exit == 0)
    #expect(try stage.run("token", "--key", "none").exit == 7)
    #expect(try stage.run("token", environment: ["TZ": "Asia/Tokyo"]).exit == 0)
    #expect(
      try stage.run("token", environment: ["https_proxy": "http://proxy.invalid:2"]).exit == 0)
    for option in [["--wait", "3"], ["--timeout", "9"], ["--no-proxy"], ["--password-stdin"]] {
      #expect(try scene.start(["token"] + option, environment: stage.using).end().exit == 0)
    }
    #expect(try stage.answers() == 0)
    #expect(try stage.run("token", "--book", scene.book).exit == 0)
    #expect(try stage.answers() == 1)
  }

  @Test func `there is one at a socket, for its user alone, and the socket of a dead one is taken`()
    throws
  {
    try scene.logInForTokens()
    try stage.start()
    #expect(FileStatus(of: stage.path).map { $0.mode & 0o777 } == 0o600)
    #expect(FileStatus(of: "\(scene.folder)/run").map { $0.mode & 0o777 } == 0o700)
    let second = try stage.run("agent")
    #expect(second.exit == 1)
    #expect(second.errors.contains("Another agent serves at \(stage.path)."), "\(second.errors)")
    #expect(try stage.end(SIGKILL).exit == -SIGKILL)
    #expect(Files.exists(stage.path))
    #expect(try stage.run("token").exit == 0)
    let gone = try stage.run("agent", "status")
    #expect(gone.exit == 1 && gone.errors.contains("`gatebook agent`"), "\(gone.errors)")
    try stage.start()
    #expect(try stage.run("token").exit == 0)
    #expect(try stage.answers() == 1)
    #expect(try stage.end(SIGINT).exit == 0)
    #expect(!Files.exists(stage.path))
  }

  @Test func `it says what it has done, without a secret`() throws {
    try scene.logInForTokens()
    try stage.start()
    let token = try stage.run("token").output
    let facts = try stage.status()
    #expect(facts["process"]?.integer == stage.agent.map { Int64($0.id) })
    #expect(facts["version"]?.text == CommandTable.version)
    #expect(facts["book"]?.text == scene.book)
    #expect(facts["locked"]?.bool == false)
    #expect(facts["waiting"]?.integer == 0)
    let text = try stage.run("agent", "status").output
    #expect(text.contains("Unlocked since 20"), "\(text)")
    #expect(!text.contains(token.dropLast()))
    let log = try scene.run("log", "--json", "--kind", "agent.").output
    #expect(log.contains(#""kind":"agent.started""#), "\(log)")
  }
}
