internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// An agent that forgets its key, and gets it back.
struct AgentLockTests {
  private let stage: AgentScene

  init() throws { stage = try AgentScene() }

  private var scene: Scene { stage.scene }

  @Test func `a locked agent refuses in each program's own way, and an unlocked one answers`()
    throws
  {
    try scene.logInForTokens()
    try stage.start()
    #expect(try stage.run("agent", "lock").errors.contains("is locked"))
    #expect(try stage.run("agent", "lock").errors.contains("locked already"))
    #expect(try stage.status()["locked"]?.bool == true)
    let host = String(scene.portal.url.dropFirst("http://".count))
    let token = try stage.run("token")
    #expect(token.exit == 7 && token.output.isEmpty)
    #expect(token.errors.contains("gatebook agent unlock"), "\(token.errors)")
    let own = [
      try stage.run("token", "--timeout", "5"), try stage.run("token", "--wait", "5"),
      try stage.run("token", "--no-proxy"),
    ]
    for ending in own {
      #expect(ending.exit == 7 && ending.output.isEmpty, "\(ending.output)")
      #expect(ending.errors.contains("gatebook agent unlock"), "\(ending.errors)")
    }
    let elsewhere = try stage.run("token", environment: ["TZ": "Asia/Tokyo"])
    #expect(elsewhere.exit == 7 && elsewhere.output.isEmpty, "\(elsewhere.errors)")
    let git = try stage.run(
      "credential", "git", "get", input: "protocol=http\nhost=\(host)\n\n")
    #expect(git.exit == 7 && git.output.isEmpty)
    #expect(git.errors.split(separator: "\n").count == 1)
    #expect(git.errors.contains("`gatebook agent unlock`"))
    let docker = try stage.run("credential", "docker", "get", input: host)
    #expect(docker.exit == 1 && docker.errors.contains("`gatebook agent unlock`"))
    #expect(
      try stage.curl("-i", scene.portal.url.replacing("127.0.0.1", with: "localhost") + "/a")
        .hasPrefix("HTTP/1.1 503 "))
    #expect(try stage.run("agent", "unlock").errors.contains("is unlocked"))
    #expect(try stage.run("agent", "unlock").errors.contains("unlocked already"))
    #expect(try stage.run("token").output == (try scene.liveToken()))
    let kinds = try scene.run("log", "--json", "--kind", "agent.").output
    #expect(kinds.contains("agent.locked") && kinds.contains("agent.unlocked"), "\(kinds)")
  }

  @Test func `a call under way ends before the lock does`() throws {
    try scene.logInForTokens()
    try scene.expire()
    let door = Door()
    defer { door.open() }
    let sent = scene.refreshCount
    scene.portal.inject(door.fault, on: .token)
    try stage.start()
    let token = try scene.start(["token"], environment: stage.using)
    try scene.wait(forRefreshes: sent + 1)
    try wait(for: "the call") { try stage.answers() == 1 }
    let lock = try scene.start(["agent", "lock"], environment: stage.using)
    try wait(for: "the lock") { try stage.status()["locked"]?.bool == true }
    #expect(try stage.run("token").exit == 7)
    door.open()
    #expect(lock.end().exit == 0)
    let ending = token.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 1)
  }

  @Test func `a passphrase comes over the socket, and a wrong one unlocks nothing`() throws {
    let right = try scene.secretFile("right\n", "right")
    let wrong = try scene.secretFile("wrong\n", "wrong")
    let client = FakePortalApplication.confidential
    let login = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--mode",
        "oauth2-password", "--client-id", client.clientID, "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin", "--key", "passphrase",
      ],
      ChildProcess.Streams(input: "\(FakePortalUser.ada.password)\n\(client.secret ?? "")\n"),
      environment: ["GATEBOOK_PASSPHRASE_FILE": right]
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    // There is no terminal to ask on.
    try stage.start()
    #expect(try stage.status()["locked"]?.bool == true)
    #expect(try stage.run("token").exit == 7)
    // Nobody has locked it: a process that has the key does its work itself.
    let own = try stage.run("token", environment: ["GATEBOOK_PASSPHRASE_FILE": right])
    #expect(own.output == (try scene.liveToken()), "\(own.errors)")
    let refused = try stage.run(
      "agent", "unlock", environment: ["GATEBOOK_PASSPHRASE_FILE": wrong])
    #expect(refused.exit == 7, "\(refused.errors)")
    #expect(!refused.errors.contains("wrong\n"))
    #expect(try stage.status()["locked"]?.bool == true)
    let unlocked = try stage.run(
      "agent", "unlock", environment: ["GATEBOOK_PASSPHRASE_FILE": right])
    #expect(unlocked.exit == 0, "\(unlocked.errors)")
    #expect(try stage.run("token").output == (try scene.liveToken()))
    #expect(try stage.run("agent", "lock").exit == 0)
    let locked = try stage.run("token", environment: ["GATEBOOK_PASSPHRASE_FILE": right])
    #expect(locked.exit == 7 && locked.output.isEmpty, "\(locked.errors)")
    #expect(try stage.run("agent", "unlock").exit == 7)
  }
}
