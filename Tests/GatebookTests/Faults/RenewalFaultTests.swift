import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rules 1 and 2 at a server whose refresh tokens rotate: what each fault leads to.
@Suite struct RenewalFaultTests {
  /// How a renewal must end.
  private enum Ending: Equatable {
    case active
    case kept(FailureCode)
    case ended(EndReason)
  }

  /// Each flow meets each fault; one of them is enough to wait for answers that are held, for so
  /// long that the server has surely acted.
  private static let cases = FaultedFlow.rotating.flatMap { flow in
    let faults = FaultedFlow.alike.contains(flow) ? LineFault.kinds : LineFault.allCases
    return faults.filter { $0 != .held || flow == .openIDCode }.map { (flow, $0) }
  }

  /// Where a fault at a refresh must lead.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - hasGrace: Whether the server answers a refresh token that was used again.
  /// - Returns: The ending.
  private static func ending(of fault: LineFault, hasGrace: Bool) -> Ending {
    switch fault {
    case .refused, .closed, .serverError, .delayed: .active
    // Who is shown a page asks no more until somebody has looked at it.
    case .captivePortal: .kept(.contentUnexpected)
    case .tooManyRequests: .kept(.serverUnavailable)
    case .reset, .truncated, .held:
      hasGrace ? .active : .ended(.refusedAfterUnknownOutcome)
    case .twice: hasGrace ? .active : .ended(.refused)
    }
  }

  @Test(arguments: cases)
  func `a fault at the refresh leads where the rules say`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    for hasGrace in [false, true] {
      let note: Comment = "\(flow), \(fault), grace \(hasGrace)"
      let stage = try await FaultStage(flow)
      stage.setGrace(hasGrace)
      try await stage.logIn()
      stage.world.clock.advance(by: .seconds(600))
      stage.line.arm(fault, patience: .seconds(1))
      let result = await stage.askPatiently()
      try await expect(
        Self.ending(of: fault, hasGrace: hasGrace), result, stage, note)
      // What a refresh token's uses are: the one that counts, and one more where nobody knew.
      let isRepeated = LineFault.spending.contains(fault) || fault == .twice
      let uses = stage.refreshes()
      #expect(uses.count == (isRepeated ? 2 : 1), "\(note): \(uses)")
      #expect(Set(uses).count == 1, "\(note): \(uses)")
    }
  }

  @Test(arguments: FaultedFlow.discovering, LineFault.allCases)
  func `a fault at the discovery before it changes nothing`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let note: Comment = "\(flow), \(fault)"
    let stage = try await FaultStage(flow)
    try await stage.logIn()
    // The metadata is older than an hour.
    stage.world.clock.advance(by: .seconds(4000))
    stage.line.arm(fault)
    let result = await stage.ask()
    #expect(stage.line.sent.first?.url.path == "/.well-known/openid-configuration", note)
    try await expect(.active, result, stage, note)
    #expect(stage.refreshes().count == 1, note)
  }

  @Test(arguments: cases)
  func `a fault at the steps of a call whose token the server forgot loses nothing`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let stage = try await FaultStage(flow)
    try await stage.logIn()
    // The call, and the call again after the refresh.
    for step in [1, 3] {
      let note: Comment = "\(flow), \(fault) at step \(step)"
      stage.forget()
      stage.line.arm(fault, at: step)
      let result = await stage.ask()
      #expect(try await stage.book.currentContext()?.state == .active, note)
      if case .failure(let error) = result {
        #expect(error.code == .networkUnreachable, "\(note): \(error)")
      }
      await stage.expectWorks(note)
    }
    stage.forget()
    stage.line.arm(fault, at: 2, patience: .seconds(1))
    try await expect(
      Self.ending(of: fault, hasGrace: false), await stage.askPatiently(), stage,
      "\(flow), \(fault)")
  }

  @Test(arguments: cases)
  func `a fault that stays ends no session, and one that went away is forgotten`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    for hasGrace in [false, true] {
      let note: Comment = "\(flow), \(fault), grace \(hasGrace)"
      let stage = try await FaultStage(flow)
      stage.setGrace(hasGrace)
      let ada = try await stage.logIn().account
      stage.world.clock.advance(by: .seconds(600))
      stage.line.arm(fault, times: .max, patience: .seconds(1))
      let result = await stage.askPatiently()
      let refreshes = stage.line.sent.filter { $0.url.path.hasSuffix("/token") }.count
      let state = try await stage.book.context(of: ada).state
      switch fault {
      case .twice:
        #expect(state == (hasGrace ? .active : .needsLogin(.refused)), note)
        continue
      case .closed, .reset, .truncated, .held:
        #expect(state == .uncertain, note)
        #expect(refreshes == 2, note)
        // Nothing more is sent automatically, also not by a process that starts now.
        for place in [stage.book, try await stage.world.open(stage.line)] {
          guard case .failure(let error) = await stage.ask(place) else {
            Issue.record(note)
            continue
          }
          #expect(error.code == .outcomeUnknown, "\(note): \(error)")
        }
        #expect(stage.line.sent.filter { $0.url.path.hasSuffix("/token") }.count == 2, note)
        // A person may insist on one more try.
        stage.line.calm()
        let isAlive = hasGrace || fault == .closed
        let renewed: Result<Bool, GatebookError> = await stage.insist(ada)
        #expect((try? renewed.get()) == (isAlive ? true : nil), note)
        guard isAlive else {
          #expect(
            try await stage.book.context(of: ada).state
              == .needsLogin(.refusedAfterUnknownOutcome), note)
          try await stage.logIn()
          break
        }
      case .refused, .serverError, .tooManyRequests, .captivePortal, .delayed:
        #expect(state == .active, note)
        #expect(refreshes <= 3, note)
        stage.line.calm()
        stage.world.clock.advance(by: .seconds(120))
      }
      try await stage.expectSurvives(note)
      try await stage.expectSound(result.failures, note)
    }
  }

  private func expect(
    _ ending: Ending, _ result: Result<HTTPReply, GatebookError>, _ stage: FaultStage,
    _ note: Comment
  ) async throws {
    let state = try await stage.book.currentContext()?.state
    switch (ending, result) {
    case (.active, .success(let reply)):
      #expect(reply.status == 200, note)
      #expect(state == .active, note)
    case (.kept(let code), .failure(let error)):
      #expect(error.code == code, "\(note): \(error)")
      #expect(state == .active, note)
      stage.world.clock.advance(by: .seconds(31))
    case (.ended(let reason), .failure(let error)):
      #expect(error.code == .tokenRefused, "\(note): \(error)")
      #expect(state == .needsLogin(reason), note)
      stage.line.calm()
      try await stage.logIn()
    default: Issue.record("\(note): \(result), not \(ending)")
    }
    try await stage.expectSurvives(note)
    try await stage.expectSound(result.failures, note)
  }
}

extension Result where Failure == GatebookError {
  /// What it failed with.
  var failures: [GatebookError] {
    if case .failure(let error) = self { [error] } else { [] }
  }
}

extension FaultStage {
  /// Asks, and once more later where the answer to the refresh was lost: not within the same
  /// outage.
  func askPatiently() async -> Result<HTTPReply, GatebookError> {
    let first = await ask()
    guard (try? await book.currentContext())?.state == .uncertain else { return first }
    world.clock.advance(by: .seconds(3))
    return await ask()
  }

  /// Renews a session now, also with what counts as used up.
  func insist(_ account: AccountID) async -> Result<Bool, GatebookError> {
    do throws(GatebookError) {
      return .success(try await book.renewNow(account, evenIfUsedUp: true))
    } catch {
      return .failure(error)
    }
  }
}
