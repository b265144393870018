import Gatebook
import GatebookFakes
import Testing

/// Flows in which no check names a user: they succeed, and leave no login open.
@Suite(.timeLimit(.minutes(10))) struct NamelessFlowTests {
  private let world: MobileFirstWorld

  init() async throws {
    world = try await MobileFirstWorld()
  }

  /// The attempts that were begun and never ended.
  private func dangling() async throws -> Int {
    let ends = try await world.events(.loginSucceeded, .loginFailed, .loginCancelled)
    return try await world.events(.loginStarted)
      .filter { start in !ends.contains { $0.session == start.session } }.count
  }

  @Test func `a pin code alone leaves no login attempt open`() async throws {
    let (manager, handler) = try await world.handled("PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    #expect(try await dangling() == 1)
    try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
    _ = try await token.value
    #expect(try await dangling() == 0)
    #expect(
      try world.world.kinds() == [
        "book.created", "login.started", "registration.created", "challenge.received",
        "challenge.answered", "check.succeeded", "token.granted", "login.cancelled",
      ])
    #expect(try await world.events(.loginCancelled).last?.data["reason"] == "nobody")
  }

  @Test func `each later flow ends its own attempt, under the same client`() async throws {
    let manager = try await world.manager()
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    for scope in ["PinCode", "", "PinCode"] {
      let token = try await manager.obtainAccessToken(forScope: scope)
      try await manager.clearAccessToken(token)
    }
    #expect(try await manager.logout("PinCode") == .done)
    #expect(try await dangling() == 0)
    #expect(try await world.events(.loginFailed).isEmpty)
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try await world.book.accounts().isEmpty)
  }

  @Test func `a user who logs in after a pin code takes client and tokens over`() async throws {
    let manager = try await world.manager()
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    let token = try await manager.obtainAccessToken(forScope: "PinCode")
    let john = try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(john.account)
    #expect(try await manager.obtainAccessToken(forScope: "PinCode") == token)
    #expect(
      try await world.book.liveToken(for: AuthorizationScope("PinCode"), of: account) == token)
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try await dangling() == 0)
  }

  @Test func `no delegate hears of a failure that was none`() async throws {
    let failures = TestBox<[FailureCode]>([])
    await world.book.setLoginDelegate(Listener(failures))
    let manager = try await world.manager()
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    #expect(failures.value.isEmpty)
    let wrong = await Result { try await manager.login("PinCode", credentials: .pin("0000")) }
    #expect(wrong.code == .challengeUnhandled)
    #expect(failures.value == [.challengeUnhandled])
  }

  private final class Listener: LoginDelegate {
    let failures: TestBox<[FailureCode]>

    init(_ failures: TestBox<[FailureCode]>) { self.failures = failures }

    func onLoginError(_ error: GatebookError) async {
      failures.withLock { $0.append(error.code) }
    }
  }
}
