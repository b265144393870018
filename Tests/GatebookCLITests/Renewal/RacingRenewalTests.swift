internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Rule 3: one renewal of an account at a time, over processes.
struct RacingRenewalTests {
  @Test func `128 processes that need a token at once send one refresh, and print one token`()
    throws
  {
    let scene = try Scene()
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    // Nobody gets an answer before all have begun.
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token, times: nil)
    let children = try (1...128).map { _ in try scene.startToken(["--wait", "120"]) }
    try scene.wait(forRefreshes: sent + 1)
    door.open()
    let endings = children.map { $0.end() }
    let token = try scene.liveToken()
    for ending in endings {
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output == token)
    }
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }

  @Test func `two processes renew 50 times, and never twice`() throws {
    let scene = try Scene()
    // The strictest portal: nothing of an old pair is good for anything.
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    for round in 1...50 {
      try scene.expire()
      let sent = scene.refreshCount
      let children = try [scene.startToken(), scene.startToken()]
      let endings = children.map { $0.end() }
      let token = try scene.liveToken()
      for ending in endings {
        #expect(ending.exit == 0, "round \(round): \(ending.errors)")
        #expect(ending.output == token, "round \(round)")
      }
      #expect(scene.refreshCount == sent + 1, "round \(round)")
    }
    let kinds = try scene.kinds()
    #expect(kinds.count { $0 == "refresh.started" } == 100)
    #expect(kinds.count { $0 == "refresh.succeeded" } == 100)
    #expect(Set(kinds.suffix(200)) == ["refresh.started", "refresh.succeeded"])
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
  }
}
