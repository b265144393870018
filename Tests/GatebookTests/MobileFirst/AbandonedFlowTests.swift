import Gatebook
import GatebookFakes
import Testing

/// After a flow that was cancelled, or whose challenge was ignored, a new flow begins.
@Suite(.timeLimit(.minutes(10))) struct AbandonedFlowTests {
  @Test func `a call for the scope of an ignored challenge gets a challenge of its own`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let ignored = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    world.pass(300)
    let second = Task {
      let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
      if let code = result.code { handler.note("\(code)") }
      return try result.get()
    }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    #expect(await Result { try await ignored.value }.code == .challengeTimedOut)
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await second.value.scope == "UserLogin")
    #expect(Set(handler.flows).count == 2)
  }

  @Test func `a login right after a cancel is not cancelled with it`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    let waiting = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    while await manager.waitingFlows < 1 { await Task.yield() }
    let login = try await manager.cancel("PinCode") { manager in
      try await manager.login("UserLogin", credentials: .user("john"))
    }
    #expect(login.user?.id == "john")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(await Result { try await waiting.value }.code == .challengeCancelled)
  }

  @Test func `an answer right after a cancel logs in again, and is not lost in the old flow`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    let login = try await manager.cancel("UserLogin") { manager in
      let isOpen = manager.isChallenged("UserLogin")
      let isCancelledAgain = manager.cancel("UserLogin")
      #expect(!isOpen)
      #expect(manager.openChallenges.isEmpty)
      #expect(!isCancelledAgain)
      return try await manager.authenticate(.user("john"), check: "UserLogin")
    }
    #expect(login.user?.id == "john")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(try await world.events(.challengeAnswered).isEmpty)
  }

  @Test func `a challenge that is given up ends its flow as the failure, and the log says so`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let login = Task { try await manager.login("UserLogin", credentials: .user("john", "x")) }
    #expect(await handler.next() == "challenge UserLogin [Wrong Credentials] 2")
    let refusal = GatebookError(.credentialsRefused, "No.", remedy: "None.")
    #expect(await manager.giveUp("UserLogin", because: refusal))
    // After the cancellation the program may end: everything is recorded.
    #expect(
      try await world.book.events(after: .start).suffix(2).map(\.kind) == [
        "challenge.failed", "login.failed",
      ])
    for event in try await world.events(.challengeFailed, .loginFailed) {
      #expect(event.data["code"] == "credentials.refused")
    }
    #expect(await Result { try await login.value }.code == .credentialsRefused)
    #expect(await !manager.giveUp("UserLogin", because: refusal))
    #expect(await manager.openFlows == 0)
  }
}

extension AuthorizationManager {
  /// Cancels, and continues at once: nothing else runs here between the two.
  fileprivate func cancel(
    _ check: String,
    then next: @Sendable (isolated AuthorizationManager) async throws -> Authorization
  ) async throws -> Authorization {
    let isCancelled = cancel(check)
    #expect(isCancelled)
    return try await next(self)
  }
}
