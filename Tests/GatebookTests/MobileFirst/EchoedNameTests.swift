import Gatebook
import GatebookFakes
import Testing

/// A server that gives back as the names of checks and scopes what it was told in confidence.
@Suite(.timeLimit(.minutes(10))) struct EchoedNameTests {
  /// Everything that the book contains in the clear.
  private func clear(_ world: MobileFirstWorld) throws -> String {
    try BookReader.open(at: world.world.path).events(EventFilter()).map {
      String(decoding: $0.data.encoded, as: UTF8.self)
    }
    .joined()
  }

  @Test func `a password that comes back as a check's name is not told`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    world.server.inject(
      .answer { _ in
        .json(
          #"{"challenges":{"hunter2-canary":{}}}"#, status: 401,
          fields: ["WWW-Authenticate": "MFP-Challenge"])
      }, on: .preauthorize)
    let error = await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await manager.authenticate(.user("john", "hunter2-canary"), check: "UserLogin")
    }
    #expect(error.map { !"\($0)".contains("hunter2") } == true, "\(error as Any)")
    let challenges = try await world.events(.challengeReceived, .challengeFailed)
    #expect(challenges.count == 2)
    #expect(try !clear(world).contains("hunter2"))
  }

  @Test(arguments: [
    (403, #"{"failures":{"hunter2-canary":{"reason":"no"}}}"#),
    (401, #"{"successes":{"hunter2-canary":{}},"challenges":{"UserLogin":{}}}"#),
  ])
  func `a password that comes back as a check that refuses or has succeeded is not told`(
    status: Int, body: String
  ) async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    world.server.inject(
      .answer { _ in
        .json(body, status: status, fields: ["WWW-Authenticate": "MFP-Challenge"])
      }, on: .preauthorize)
    let result = await Result {
      try await manager.authenticate(.user("john", "hunter2-canary"), check: "UserLogin")
    }
    #expect(result.code != nil)
    #expect(!"\(result)".contains("hunter2"), "\(result)")
    #expect(try await !world.events(.challengeFailed, .checkSucceeded).isEmpty)
    #expect(try !clear(world).contains("hunter2"))
  }

  @Test func `a token that a resource asks for as a scope is neither asked for nor told`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let sent = TestBox("")
    world.server.inject(
      .answer { request in
        let token = request.fields["Authorization"]?.split(separator: " ").last.map(String.init)
        sent.value = token ?? ""
        return LoopbackReply(
          status: 403,
          fields: [
            "WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(sent.value)\""
          ])
      }, on: .adapters)
    let reply = try await manager.send(
      HTTPRequest("GET", try world.url("balance")), scope: "UserLogin")
    #expect(reply.status == 403)
    #expect(!sent.value.isEmpty)
    #expect(try !clear(world).contains(sent.value))
  }
}
