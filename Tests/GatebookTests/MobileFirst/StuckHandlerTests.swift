import Gatebook
import GatebookFakes
import Testing

/// Handlers that do not return from a callback: the account stays usable.
@Suite(.timeLimit(.minutes(10))) struct StuckHandlerTests {
  enum Callback: CaseIterable { case challenge, success, failure }

  /// Never returns from one of its callbacks, not even when its task is cancelled.
  private final class StuckHandler: ChallengeHandler {
    let heard = RecordingHandler()
    private let place: Callback
    private let answer: @Sendable (SecurityCheckChallenge) async -> Void
    private let stuck = TestBox<[CheckedContinuation<Void, Never>]>([])

    init(
      in place: Callback,
      answer: @escaping @Sendable (SecurityCheckChallenge) async -> Void = { _ in }
    ) {
      self.place = place
      self.answer = answer
    }

    func handleChallenge(_ challenge: SecurityCheckChallenge) async {
      await heard.handleChallenge(challenge)
      await answer(challenge)
      await stick(in: .challenge)
    }

    func handleSuccess(_ success: SecurityCheckSuccess) async {
      await heard.handleSuccess(success)
      await stick(in: .success)
    }

    func handleFailure(_ failure: SecurityCheckFailure) async {
      await heard.handleFailure(failure)
      await stick(in: .failure)
    }

    /// Lets go of what never returned, so that nothing is left of the test.
    func release() {
      for continuation in stuck.withLock({ $0 }) { continuation.resume() }
    }

    private func stick(in callback: Callback) async {
      guard callback == place else { return }
      await withCheckedContinuation { continuation in
        stuck.withLock { $0.append(continuation) }
        heard.note("stuck")
      }
    }
  }

  private func manager(
    of world: MobileFirstWorld, timeout: Int
  ) async throws -> AuthorizationManager {
    var app = try world.app()
    app.challengeTimeout = .seconds(timeout)
    return try await world.manager(app: app)
  }

  @Test func `a cancel ends the flow of a handler that does not return`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await manager(of: world, timeout: 300)
    let handler = StuckHandler(in: .challenge)
    defer { handler.release() }
    await manager.register(handler, for: "UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.heard.next() == "challenge UserLogin [] 3")
    #expect(await handler.heard.next() == "stuck")
    let logout = Task { try await manager.logout("UserLogin") }
    while await manager.waitingFlows < 1 { await Task.yield() }
    #expect(await manager.cancel("UserLogin"))
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    _ = try await logout.value
    #expect(world.routes().last == "logout")
    #expect(await manager.openFlows == 0)
  }

  @Test func `the next call replaces a challenge whose handler does not return`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await manager(of: world, timeout: 300)
    let handler = StuckHandler(in: .challenge)
    defer { handler.release() }
    await manager.register(handler, for: "UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.heard.next() == "challenge UserLogin [] 3")
    #expect(await handler.heard.next() == "stuck")
    world.pass(300)
    #expect(try await manager.login("UserLogin", credentials: .user("john")).user?.id == "john")
    #expect(await Result { try await token.value }.code == .challengeTimedOut)
  }

  @Test func `a logout that waits already is served when the handler's time is over`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await manager(of: world, timeout: 1)
    let handler = StuckHandler(in: .challenge)
    defer { handler.release() }
    await manager.register(handler, for: "UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.heard.next() == "challenge UserLogin [] 3")
    #expect(await handler.heard.next() == "stuck")
    let logout = Task { try await manager.logout("UserLogin") }
    while await manager.waitingFlows < 1 { await Task.yield() }
    world.pass(1)
    _ = try await logout.value
    #expect(await Result { try await token.value }.code == .challengeTimedOut)
  }

  @Test(arguments: Callback.allCases)
  func `a flow continues without a handler whose time is over`(callback: Callback) async throws {
    let world = try await MobileFirstWorld()
    let manager = try await manager(of: world, timeout: 1)
    let name = callback == .failure ? "nobody" : "john"
    let handler = StuckHandler(in: callback) { [weak manager] challenge in
      try? await manager?.submitChallengeAnswer(.user(name, "john"), to: challenge.check)
    }
    defer { handler.release() }
    await manager.register(handler, for: "UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    await handler.heard.hear("stuck")
    world.pass(1)
    let code = await Result { try await token.value }.code
    #expect(code == (callback == .failure ? .challengeBlocked : nil))
    #expect(await manager.openFlows == 0)
  }
}
