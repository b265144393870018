internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Rule 5: what a server has granted does not go with the process that cannot write it down.
struct UnwrittenRenewalTests {
  @Test(arguments: ["token", "refresh"])
  func `a command waits until the book can store the server's grant`(_ name: String) throws {
    let scene = try Scene()
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let command = try scene.start([name, "--wait", "0"] + (name == "refresh" ? ["--json"] : []))
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    try hear("keeps trying until it can", from: command)
    // The first one asks it to end; it knows what that would cost.
    command.signal(SIGTERM)
    writer.release()
    let ending = command.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    let shown = try name == "token" ? scene.liveToken() : scene.run("accounts", "--json").output
    #expect(ending.output == shown)
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }

  @Test func `a login that is stored later says so although the command had failed`()
    async throws
  {
    let scene = try Scene()
    let login = try scene.start(scene.pageLogin("--save-credentials"))
    let page = try login.page()
    try scene.registerRedirect(of: page)
    _ = try await scene.redirect(of: page)
    #expect(login.end().exit == 0)
    try scene.run("logout")
    let door = Door()
    defer { door.open() }
    let sent = scene.refreshCount
    scene.portal.inject(door.fault, on: .token)
    let command = try scene.start(["refresh", "--wait", "0"])
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    try hear("keeps trying until it can", from: command)
    writer.release()
    let ending = command.end()
    #expect(ending.exit == 6, "\(ending.errors)")
    #expect(ending.errors.contains("What the server granted is saved in the book."))
    #expect(!ending.errors.contains("kept in memory"), "\(ending.errors)")
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    #expect(scene.refreshCount == sent + 1)
  }

  /// Reads what a command tells until it has said something.
  private func hear(_ sentence: String, from command: ChildProcess) throws {
    var told = ""
    while !told.contains(sentence) {
      let line = command.nextError()
      try #require(!line.isEmpty, "\(told)")
      told += line
    }
  }
}
