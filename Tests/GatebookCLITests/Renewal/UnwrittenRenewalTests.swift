internal import Gatebook
internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Rule 5: what a server has granted does not go with the process that cannot write it down.
struct UnwrittenRenewalTests {
  @Test(arguments: ["token", "refresh"])
  func `a command goes on until the book takes what the server has granted`(_ name: String) throws {
    let scene = try Scene()
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let command = try scene.start([name, "--wait", "0"])
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    var told = ""
    while !told.contains("goes on until it can") {
      let line = command.nextError()
      try #require(!line.isEmpty, "\(told)")
      told += line
    }
    // The first one asks it to end; it knows what that would cost.
    command.signal(SIGTERM)
    writer.release()
    let ending = command.end()
    #expect(ending.exit == 0, "\(told)\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()) || name == "refresh")
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }
}
