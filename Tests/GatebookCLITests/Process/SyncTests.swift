internal import Gatebook
internal import GatebookFakes
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI

/// What waits for servers, and sessions that were resumed without them.
struct SyncTests {
  @Test func `a server without a page that proves a session leaves sync content`() throws {
    let scene = try Scene()
    let gateway = try FakeGateway()
    try gateway.start()
    defer { gateway.stop() }
    let user = FakeGatewayUser.ada
    let login = try scene.run(
      "login", "fcsdk", "--server", gateway.url, "--user", user.username, "--password-stdin",
      "--label", "desk", input: user.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    #expect(try scene.run("restore").exit == 0)
    let ending = try scene.run("sync")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(
      ending.output == "delivered 0, waiting 0, verified 0, not verified 0, unprovable 1\n")
    #expect(ending.errors.contains("desk: This server has no page that can confirm a session."))
    let account = try #require(
      try scene.run("whoami", "--json").output.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.output.1)
    let json = try scene.run("sync", "--json")
    #expect(json.exit == 0)
    #expect(
      json.output
        == #"{"delivered":0,"givenUp":0,"waiting":0,"underWay":0,"verified":[],"failed":[],"#
        + #""unprovable":["\#(account)"]}"# + "\n")
    #expect(json.errors.isEmpty, "\(json.errors)")
    #expect(try scene.run("sync", "--quiet").errors.isEmpty)
  }

  @Test func `an unverified account is named by its label, also with --quiet`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("restore").exit == 0)
    scene.portal.stop()
    for quiet in [[], ["--quiet"]] {
      let ending = try scene.start(["sync"] + quiet).end()
      #expect(ending.exit == 4)
      #expect(ending.errors.hasPrefix("gatebook: ada: "), "\(ending.errors)")
    }
    let json = try scene.run("sync", "--json", "--quiet")
    #expect(json.exit == 4)
    #expect(json.errors.hasPrefix(#"{"error":{"code":"network.unreachable","#), "\(json.errors)")
  }

  @Test func `accounts that fail in the same way are reported together`() throws {
    let scene = try Scene()
    for (user, label) in [(FakePortalUser.ada, "ada"), (.ben, "ben")] {
      try scene.logIn(user, label: label)
      #expect(try scene.run("restore").exit == 0)
    }
    scene.portal.stop()
    let ending = try scene.run("sync")
    #expect(ending.exit == 4)
    #expect(ending.output.contains("not verified 2"))
    #expect(ending.errors.hasPrefix("gatebook: ada, ben: "), "\(ending.errors)")
    #expect(ending.errors.ranges(of: "gatebook: ").count == 1, "\(ending.errors)")
    let json = try scene.run("sync", "--json")
    #expect(json.errors.split(separator: "\n").count == 1, "\(json.errors)")
    #expect(json.output.ranges(of: "network.unreachable").count == 2, "\(json.output)")
  }

  @Test func `a command tells once what waits, for 2 s at most, after its own work`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    try scene.logIn(.ben, label: "ben")
    scene.portal.stop()
    #expect(try scene.run("logout", "--account", "ada").exit == 0)
    try scene.portal.start()
    scene.portal.inject(.stallBeforeActing, on: .logout, times: nil)
    let clock = SystemClock()
    var time = Duration.zero
    // What failed just now waits for half a second first; no command waits for that.
    for _ in 0..<500 where scene.portal.requests(to: .logout).isEmpty {
      let start = clock.now().boot
      let ending = try scene.run("restore", "--account", "ben")
      time = clock.now().boot - start
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output.contains("offline"))
    }
    #expect(scene.portal.requests(to: .logout).count == 1)
    #expect((.seconds(2)...(.seconds(30))).contains(time), "\(time)")
    scene.portal.clearFaults()
    #expect(try scene.run("sync", "--account", "ada").output.hasPrefix("delivered 1, waiting 0,"))
  }

  @Test func `a server's retry time is kept and printed`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    scene.portal.inject(.status(503, retryAfter: 3600), on: .logout)
    #expect(try scene.run("logout").exit == 0)
    let sent = scene.portal.requests(to: .logout).count
    let ending = try scene.run("sync", "--utc")
    #expect(ending.exit == 4)
    let line = /delivered 0, waiting 1, .*, not before [-0-9]{10} [:0-9]{8}Z\n/
    #expect(ending.output.wholeMatch(of: line) != nil, "\(ending.output)")
    let demand = /It asked not to be contacted before [-0-9]{10} [:0-9]{8}Z\./
    #expect(ending.errors.firstMatch(of: demand) != nil, "\(ending.errors)")
    #expect(ending.errors.contains("`gatebook sync` again then"), "\(ending.errors)")
    let json = try scene.run("sync", "--json")
    let field = /"demandedUntil":"[-0-9]{10}T[:.0-9]+Z"/
    #expect(json.output.firstMatch(of: field) != nil, "\(json.output)")
    #expect(scene.portal.requests(to: .logout).count == sent)
    #expect(try scene.run("log", "--kind", "logout.completed").output.contains("demandedWait=1h"))
  }

  @Test func `a logout that no server received is reported as that until sync delivers it`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    scene.portal.stop()
    let ending = try scene.run("logout")
    #expect(ending.exit == 0)
    #expect(
      ending.output == "Logged out of \(scene.portal.url) as \(FakePortalUser.ada.emailAddress).\n")
    #expect(ending.errors.contains("ada: The server was not told yet"), "\(ending.errors)")
    #expect(ending.errors.contains("`gatebook sync`"), "\(ending.errors)")
    let again = try scene.run("logout")
    #expect(again.exit == 0)
    #expect(again.errors.contains("ada was already logged out."), "\(again.errors)")
    #expect(again.errors.contains("The server was not told yet"), "\(again.errors)")
    #expect(try scene.run("doctor").output.contains("outbox: 1 message for a server is waiting."))
    let waiting = try scene.run("sync", "--quiet")
    #expect(waiting.exit == 4)
    #expect(waiting.errors.contains("1 message is waiting"), "\(waiting.errors)")
    try scene.portal.start()
    #expect(try scene.run("sync").output.hasPrefix("delivered 1, waiting 0,"))
    #expect(try scene.run("doctor").output.contains("outbox: No message is waiting for a server."))
    let last = try scene.run("logout")
    #expect(last.errors == "ada was already logged out.\n", "\(last.errors)")
    #expect(last.output.isEmpty, "\(last.output)")
  }
}
