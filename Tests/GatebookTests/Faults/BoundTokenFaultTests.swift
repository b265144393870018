import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Tokens that are bound to a key (RFC 9449), when the server wants another nonce than the last
/// time: two requests where there was one.
@Suite struct BoundTokenFaultTests {
  private func stage() async throws -> (FaultStage, FakeIdentityServer) {
    let stage = try await FaultStage(.openIDBound)
    return (stage, try #require(stage.server as? FakeIdentityServer))
  }

  @Test(arguments: LineFault.allCases, [1, 2])
  func `a fault at the question for a nonce, or at its answer, leads where the rules say`(
    _ fault: LineFault, _ step: Int
  ) async throws {
    let note: Comment = "\(fault) at step \(step)"
    let (stage, server) = try await stage()
    let ada = try await stage.logIn()
    server.settings.proofNonce = "second"
    stage.world.clock.advance(by: .seconds(600))
    // The answer that waits was given, and the refresh token is spent: only the second request
    // spends.
    stage.line.arm(fault, at: step, patience: .seconds(1))
    let result = await stage.askPatiently()
    let isSpent = step == 2 && (LineFault.spending.contains(fault) || fault == .twice)
    let state = try await stage.book.context(of: ada.account).state
    if isSpent {
      let reason: EndReason = fault == .twice ? .refused : .refusedAfterUnknownOutcome
      #expect(state == .needsLogin(reason), note)
      stage.line.calm()
      try await stage.logIn()
    } else {
      #expect(state == .active, "\(note): \(result)")
      let isPostponed = [.tooManyRequests, .captivePortal].contains(fault)
      #expect(isPostponed || stage.refreshes().count >= 2, note)
      stage.world.clock.advance(by: .seconds(31))
    }
    try await stage.expectSurvives(note)
    try await stage.expectSound(result.failures, note)
  }

  @Test(arguments: LineFault.allCases, [1, 2])
  func `a fault at a call that has to be made again with a nonce is the caller's`(
    _ fault: LineFault, _ step: Int
  ) async throws {
    let note: Comment = "\(fault) at step \(step)"
    let (stage, server) = try await stage()
    let ada = try await stage.logIn()
    server.settings.proofNonce = "second"
    stage.line.arm(fault, at: step)
    let result = await stage.ask()
    if case .failure(let error) = result {
      #expect(error.code == .networkUnreachable, "\(note): \(error)")
    }
    #expect(stage.refreshes().isEmpty, "a nonce is no reason to renew")
    #expect(try await stage.book.context(of: ada.account).state == .active, note)
    try await stage.expectSurvives(note)
    try await stage.expectSound(result.failures, note)
  }

  @Test func `a token of another key's opens nothing`() async throws {
    let (stage, server) = try await stage()
    try await stage.logIn()
    let token = try #require(server.liveTokens.first { $0.hasPrefix("access-") })
    let stolen = try await stage.line.send(
      HTTPRequest(
        "GET", stage.page.url, fields: [HTTPField("Authorization", "DPoP \(token)")]),
      through: Route(pool: "thief", trust: .system))
    #expect(stolen.status == 401)
    await stage.expectWorks("its own key")
  }
}
