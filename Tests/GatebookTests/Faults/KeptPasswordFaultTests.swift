import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 1 where a session renews by what the account keeps: a password, the application's secret, a
/// registered key.
@Suite struct KeptPasswordFaultTests {
  /// Why a session is renewed.
  enum Occasion: CaseIterable, Sendable {
    /// The server has forgotten it, as a call finds out.
    case forgotten
    /// Its time is over.
    case due
  }

  /// All faults where each renewal is different; for those that are alike one of each kind.
  private static let cases: [(FaultedFlow, Occasion, LineFault)] =
    [FaultedFlow.liferayCookie, .form, .mobileFirst].flatMap { flow in
      LineFault.allCases.map { (flow, .forgotten, $0) }
    }
    + [
      (FaultedFlow.openIDClient, Occasion.forgotten), (.openIDClient, .due), (.oauth2Client, .due),
      (.mobileFirst, .due),
    ]
    .flatMap { flow, occasion in LineFault.kinds.map { (flow, occasion, $0) } }
    + [LineFault.reset, .captivePortal].map { (.liferayCookie, .due, $0) }

  private func wear(_ stage: FaultStage, _ occasion: Occasion) {
    switch occasion {
    case .forgotten: stage.forget()
    case .due: stage.world.clock.advance(by: .seconds(4000))
    }
  }

  @Test(arguments: cases)
  func `a fault at any step of a login by what is kept ends no session`(
    _ flow: FaultedFlow, _ occasion: Occasion, _ fault: LineFault
  ) async throws {
    let stage = try await FaultStage(flow)
    if let server = stage.server as? FakeMobileFirstServer {
      // What the person has proven holds for longer than the tokens.
      for index in server.application.checks.indices {
        server.application.checks[index].settings.successStateExpiration = .seconds(1_000_000)
      }
    }
    let ada = try await stage.logIn()
    wear(stage, occasion)
    stage.line.calm()
    #expect(try await stage.ask().get().status == stage.pageStatus)
    let steps = stage.line.sent.count
    #expect(steps > 1, "nothing was renewed")
    var errors: [GatebookError] = []
    for step in 1...steps {
      let note: Comment = "\(flow), \(occasion), \(fault) at step \(step) of \(steps)"
      wear(stage, occasion)
      stage.line.arm(fault, at: step)
      let result = await stage.ask()
      if case .failure(let error) = result {
        errors.append(error)
        let codes: [FailureCode] =
          switch fault {
          case .refused, .closed, .reset, .truncated, .held: [.networkUnreachable]
          case .serverError, .tooManyRequests: [.serverUnavailable]
          // The page of somebody else is no word about the password.
          case .captivePortal where flow == .form: [.serverRefused, .loginUnprovable]
          case .captivePortal: [.contentUnexpected, .loginUnprovable]
          // An assertion is good once (RFC 7523 section 3): the application seems to be refused.
          case .twice: flow == .openIDClient ? [.configurationInvalid] : []
          case .delayed: []
          }
        // What a flow of MobileFirst fails with is the business of its own tests.
        #expect(flow == .mobileFirst || codes.contains(error.code), "\(note): \(error)")
      }
      let after = try await stage.book.context(of: ada.account)
      #expect(after.state.isUsable, "\(note): \(after.state)")
      #expect(after.session == ada.session, note)
      if fault == .twice, flow == .openIDClient {
        // Nothing is sent automatically; an explicit request is.
        stage.line.calm()
        #expect(try await stage.book.renewNow(ada.account), note)
      }
      guard !result.failures.isEmpty else { continue }
      // The server wants to be left alone for a while.
      stage.world.clock.advance(by: .seconds(31))
      await stage.expectWorks(note)
    }
    try await stage.expectSurvives("\(flow), \(occasion), \(fault)")
    #expect(try await stage.book.context(of: ada.account).session == ada.session)
    try await stage.expectSound(errors, "\(flow), \(occasion), \(fault)")
  }
}
