import Gatebook
import GatebookFakes
import Testing

/// A stronger login that a server wants (RFC 9470): until it has succeeded the session is what it
/// was, whatever breaks on the way.
@Suite struct StepUpFaultTests {
  private func stepUp(
    _ stage: FaultStage, of account: AccountID
  ) async -> Result<SessionContext, GatebookError> {
    do throws(GatebookError) {
      let (method, options) = try await stage.book.stepUpLogin(
        of: account, redirectURI: "com.example.app:/back")
      return .success(try await stage.book.logIn(method, options: options, browser: stage.person))
    } catch {
      return .failure(error)
    }
  }

  /// Each fault where the login is the plainest; one of each kind where more is asked on its way.
  private static let cases =
    LineFault.allCases.map { (FaultedFlow.openIDCode, $0) }
    + [FaultedFlow.openIDPushed, .openIDBound].flatMap { flow in
      LineFault.kinds.map { (flow, $0) }
    }

  @Test(arguments: cases)
  func `a fault at any step of a stronger login leaves the session as it is`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let steps = try await steps(of: flow)
    let stage = try await FaultStage(flow)
    let ada = try await stage.logIn()
    let safe = HTTPRequest.get(try FaultStage.url(stage.proxy, "/safe"))
    var errors: [GatebookError] = []
    var isStrong = false
    for step in 1...steps {
      let note: Comment = "\(flow), \(fault) at step \(step) of \(steps)"
      if !isStrong {
        stage.line.calm()
        #expect(try await stage.book.send(safe).status == 401, note)
      }
      let before = try await stage.book.context(of: ada.account)
      #expect(isStrong || !before.openChallenges.isEmpty, note)
      stage.line.arm(fault, at: step)
      switch await stepUp(stage, of: ada.account) {
      case .success: isStrong = true
      case .failure(let error):
        errors.append(error)
        #expect(try await stage.book.context(of: ada.account) == before, "\(note): \(error)")
        guard !isStrong else { break }
        #expect(try await stage.book.demandedStepUp(of: ada.account) != nil, note)
      }
      try await stage.expectClosed(note)
      await stage.expectWorks(note)
    }
    if !isStrong {
      stage.line.calm()
      _ = try await stepUp(stage, of: ada.account).get()
    }
    #expect(try await stage.book.send(safe).status == 200)
    #expect(try await stage.book.accounts().count == 1)
    try await stage.expectSurvives("\(flow), \(fault)")
    try await stage.expectSound(errors, "\(flow), \(fault)")
  }

  /// How many requests a stronger login sends.
  private func steps(of flow: FaultedFlow) async throws -> Int {
    let stage = try await FaultStage(flow)
    let ada = try await stage.logIn()
    _ = try await stage.book.send(.get(try FaultStage.url(stage.proxy, "/safe")))
    stage.line.calm()
    _ = try await stepUp(stage, of: ada.account).get()
    return stage.line.sent.count
  }
}
