import Gatebook
import GatebookFakes
import Testing

/// What a hostile or broken server sends with `MFP-Challenge`: a failure of its own, and the end of
/// the flow.
@Suite(.timeLimit(.minutes(10))) struct MalformedChallengeTests {
  private static func nested(_ depth: Int) -> String {
    #"{"challenges":{"UserLogin":"#
      + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}}"
  }

  static let bodies: [(what: String, body: String, code: FailureCode)] = [
    ("nothing", "", .contentUnexpected),
    ("a page", "<html><body>Log in</body></html>", .contentUnexpected),
    ("half an object", #"{"challenges":{"UserLogin":"#, .contentUnexpected),
    ("null", "null", .contentUnexpected),
    ("a list", #"["UserLogin"]"#, .contentUnexpected),
    ("no challenges", "{}", .contentUnexpected),
    ("challenges of no check", #"{"challenges":{}}"#, .contentUnexpected),
    ("challenges that are a list", #"{"challenges":["UserLogin"]}"#, .contentUnexpected),
    ("challenges that are a number", #"{"challenges":7}"#, .contentUnexpected),
    ("challenges that are null", #"{"challenges":null}"#, .contentUnexpected),
    ("a check that nobody handles", #"{"challenges":{"Other":{}}}"#, .challengeUnhandled),
    (
      "one check of two that nobody handles",
      #"{"challenges":{"Other":{},"UserLogin":{}}}"#, .challengeUnhandled
    ),
    ("a check without a name", #"{"challenges":{"":{}}}"#, .challengeUnhandled),
    (
      "a name that is none",
      #"{"challenges":{"\u001b[2J \#(String(repeating: "x", count: 999))":{}}}"#,
      .challengeUnhandled
    ),
    ("33 levels", nested(33), .contentUnexpected),
    ("100 000 levels", nested(100_000), .contentUnexpected),
    (
      "more than 1 MiB",
      #"{"challenges":{"UserLogin":{"errorMsg":"\#(String(repeating: "x", count: 1 << 20))"}}}"#,
      .limitExceeded
    ),
  ]

  private static func inject(_ body: String, _ world: MobileFirstWorld) {
    world.server.inject(
      .answer { _ in
        .json(body, status: 401, fields: ["WWW-Authenticate": "MFP-Challenge"])
      }, on: .preauthorize)
  }

  @Test(arguments: bodies.indices)
  func `each malformed challenge ends the flow with its failure`(index: Int) async throws {
    let (what, body, code) = Self.bodies[index]
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    Self.inject(body, world)
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == code, "\(what)")
    #expect(handler.heard.isEmpty, "\(what)")
    #expect(await manager.openFlows == 0)
    #expect(await manager.openChallenges.isEmpty)
    let failed = try #require(try await world.events(.loginFailed).last)
    #expect(failed.data["code"]?.text == code.rawValue)
    #expect(try await world.book.accounts().isEmpty)
    // The manager is as good as new.
    #expect(try await manager.login("UserLogin", credentials: .user("john")).user?.id == "john")
    #expect(world.server.clientIDs == ["client-1"])
  }

  @Test func `a malformed challenge leaves a session as it was`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, _) = try await world.handled("UserLogin")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    for (_, body, code) in Self.bodies {
      Self.inject(body, world)
      let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
      #expect(result.code == code)
      #expect(try await world.book.context(of: account).state == .active)
      #expect(try await world.book.context(of: account).openChallenges.isEmpty)
    }
  }

  @Test func `a long message is a challenge, and the log keeps its beginning`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("PinCode")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let text = String(repeating: "long", count: 1 << 17)
    Self.inject(#"{"challenges":{"PinCode":{"errorMsg":"\#(text)"}}}"#, world)
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [\(text)] -")
    await manager.cancel("PinCode")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    await world.book.close()
    #expect(TestFile.read(world.world.path).bytes.count < 1 << 19)
  }
}
