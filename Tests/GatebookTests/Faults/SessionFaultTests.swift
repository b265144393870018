import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rules 1 and 6 with every method: calls, proofs and logouts that meet faults.
@Suite struct SessionFaultTests {
  private static let calls = FaultedFlow.allCases.flatMap { flow in
    (FaultedFlow.alike.contains(flow) ? LineFault.kinds : LineFault.allCases).map { (flow, $0) }
  }

  @Test(arguments: calls)
  func `a fault at a call is the caller's, and the session stays`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let note: Comment = "\(flow), \(fault)"
    let stage = try await FaultStage(flow)
    let ada = try await stage.logIn()
    stage.line.arm(fault)
    let result = await stage.ask()
    if case .failure(let error) = result {
      #expect(error.code == .networkUnreachable, "\(note): \(error)")
    }
    // What may change something at the server is not sent again.
    if !stage.page.isRepeatable, fault != .twice { #expect(stage.line.sent.count == 1, note) }
    let after = try await stage.book.context(of: ada.account)
    #expect(after.state == .active, note)
    #expect(after.session == ada.session, note)
    try await stage.expectSurvives(note)
    #expect(try await stage.book.context(of: ada.account).session == ada.session, note)
    try await stage.expectSound(result.failures, note)
  }

  @Test(arguments: FaultedFlow.allCases, LineFault.kinds + [.delayed])
  func `a fault at the proof of a resumed session ends nothing`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let stage = try await FaultStage(flow)
    let account = try await stage.logIn().account
    let steps = try await stage.restoreAndAsk(account, nil).steps
    var errors: [GatebookError] = []
    for step in 1...steps {
      let note: Comment = "\(flow), \(fault) at step \(step)"
      let result = try await stage.restoreAndAsk(account, (fault, step)).result
      if case .failure(let error) = result {
        errors.append(error)
        expectCode(error, flow, fault, note)
      }
      let state = try await stage.book.context(of: account).state
      if Self.endsSession(flow, fault), !state.isUsable {
        #expect(state == .needsLogin(.refused), note)
        try await stage.logIn()
      } else {
        #expect(state.isUsable, note)
      }
      await stage.expectWorks(note)
      #expect(try await stage.book.sync().failures.isEmpty, note)
    }
    try await stage.expectSurvives("\(flow), \(fault)")
    try await stage.expectSound(errors, "\(flow), \(fault)")
  }

  /// A signature that comes twice is refused the second time (RFC 5849 section 3.2): that refusal
  /// ends a session.
  private static func endsSession(_ flow: FaultedFlow, _ fault: LineFault) -> Bool {
    FaultedFlow.signing.contains(flow) && fault == .twice
  }

  private func expectCode(
    _ error: GatebookError, _ flow: FaultedFlow, _ fault: LineFault, _ note: Comment
  ) {
    let codes: [FailureCode] =
      switch fault {
      case .refused, .closed, .reset, .truncated, .held: [.networkUnreachable]
      case .serverError, .tooManyRequests: [.serverUnavailable]
      case .captivePortal: [.contentUnexpected, .loginUnprovable]
      case .twice: Self.endsSession(flow, fault) ? [.sessionRefused] : []
      case .delayed: []
      }
    #expect(codes.contains(error.code), "\(note): \(error)")
  }

  @Test(arguments: FaultedFlow.allCases, LineFault.kinds + [.closed, .tooManyRequests, .delayed])
  func `a logout is local at once, and its server hears of it in the end`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let stage = try await FaultStage(flow)
    let gone = try await stage.logIn().account
    stage.line.calm()
    try await stage.book.logOut(gone)
    let steps = stage.line.sent.count
    #expect(steps > 0 || !FaultedFlow.revoking.contains(flow))
    for step in 0..<steps {
      let note: Comment = "\(flow), \(fault) at step \(step + 1)"
      let account = try await stage.logIn().account
      stage.line.arm(fault, at: step + 1)
      let context = try await stage.book.logOut(account)
      #expect(context.state == .ended(.user), note)
      let isOver = Self.isHeard(flow, fault) || Self.isRefusedTwice(flow, fault)
      #expect(try await stage.book.waitingDeliveries(of: account) == (isOver ? 0 : 1), note)
      // The next delivery meets the same; a process that starts later brings it to its end.
      stage.world.clock.advance(by: Self.pause(fault))
      stage.line.arm(fault, at: step + 1)
      _ = try await stage.book.sync()
      #expect(try await stage.book.waitingDeliveries(of: account) == (isOver ? 0 : 1), note)
      stage.world.clock.advance(by: Self.pause(fault))
      stage.line.calm()
      let later = try await stage.world.open(stage.line)
      let report = try await later.sync()
      #expect(report.waiting == 0, note)
      #expect(report.delivered == (isOver ? 0 : 1), note)
      #expect(try await later.context(of: account).state == .ended(.user), note)
      // A captive portal's 200 is a revocation's (RFC 7009 section 2.2): the server heard of
      // nothing.
      if fault != .captivePortal { #expect(stage.sessionsAtServer() == 0, note) }
    }
    try await stage.logIn()
    try await stage.expectSurvives("\(flow), \(fault)")
    try await stage.expectSound([], "\(flow), \(fault)")
  }

  /// How long to wait before it is asked again: what a server demands counts also for who asks by
  /// hand.
  private static func pause(_ fault: LineFault) -> Duration {
    fault == .tooManyRequests ? .seconds(30) : .seconds(1)
  }

  /// Whether the server, or who answers in its place, takes the logout at once.
  private static func isHeard(_ flow: FaultedFlow, _ fault: LineFault) -> Bool {
    fault == .captivePortal || fault == .delayed
      || (fault == .twice && !isRefusedTwice(flow, fault))
  }

  /// An assertion that comes twice is refused the second time (RFC 7523 section 3); where a
  /// delivery is refused, no other one would help.
  private static func isRefusedTwice(_ flow: FaultedFlow, _ fault: LineFault) -> Bool {
    flow == .openIDClient && fault == .twice
  }
}

extension FaultStage {
  /// How many sessions and tokens are good at the server.
  fileprivate func sessionsAtServer() -> Int {
    switch server {
    case let server as FakeIdentityServer: server.liveTokens.count
    case let server as FakeLiferayPortal: server.sessions.filter { $0.userID != nil }.count
    case let server as FakeGateway: server.sessions.count
    default: 0
    }
  }

  /// Resumes the session as after a restart, and uses it.
  fileprivate func restoreAndAsk(
    _ account: AccountID, _ fault: (kind: LineFault, step: Int)?
  ) async throws -> (steps: Int, result: Result<HTTPReply, GatebookError>) {
    _ = try await book.restore(account)
    if let fault { line.arm(fault.kind, at: fault.step) } else { line.calm() }
    let result = await ask()
    return (line.sent.count, result)
  }
}
