import Gatebook
import GatebookFakes
import Testing

/// Rule 7: a login that fails changes nothing but the log, whatever breaks on its way.
@Suite struct LoginFaultTests {
  /// What a login sends when nothing goes wrong.
  private struct Baseline {
    let steps: Int
    let received: [String: Int]

    init(_ stage: FaultStage) async throws {
      try await stage.logIn()
      steps = stage.line.sent.count
      received = stage.posts()
    }
  }

  @Test(arguments: FaultedFlow.allCases, LineFault.allCases)
  func `a fault at any step leaves no account, or a whole one`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let healthy = try await FaultStage(flow)
    let baseline = try await Baseline(healthy)
    var stage = try await FaultStage(flow)
    var errors: [GatebookError] = []
    for step in 1...baseline.steps {
      let note: Comment = "\(flow), \(fault) at step \(step)"
      let before = (stage.asked(), stage.posts())
      let result = try await stage.logIn(fault, at: step)
      expectNoRepetition(flow, fault, stage, baseline, since: before, note)
      try await stage.expectClosed(note)
      switch result {
      case .failure(let error):
        errors.append(error)
        expectCode(error, flow, fault, note)
        #expect(try await stage.book.accounts().isEmpty, note)
      case .success:
        await stage.expectWorks(note)
        try await stage.expectSound(errors, note)
        stage = try await FaultStage(flow)
        errors = []
      }
    }
    // The fault is gone: the same login succeeds.
    try await stage.logIn()
    try await stage.expectSurvives("\(flow), \(fault) is gone")
    try await stage.expectSound(errors, "\(flow), \(fault)")
  }

  @Test(arguments: FaultedFlow.allCases, LineFault.kinds)
  func `a fault at any step leaves the former session as it is, or replaces it`(
    _ flow: FaultedFlow, _ fault: LineFault
  ) async throws {
    let stage = try await FaultStage(flow)
    let steps = try await Baseline(stage).steps
    var errors: [GatebookError] = []
    for step in 1...steps {
      let note: Comment = "\(flow), \(fault) at step \(step)"
      let before = try #require(try await stage.book.currentContext())
      if case .failure(let error) = try await stage.logIn(fault, at: step) {
        errors.append(error)
        #expect(try await stage.book.currentContext() == before, note)
      }
      #expect(try await stage.book.accounts().count == 1, note)
      try await stage.expectClosed(note)
    }
    try await stage.expectSurvives("\(flow), \(fault)")
    try await stage.expectSound(errors, "\(flow), \(fault)")
  }

  /// What carries a password, a code or an assertion is sent once, whatever becomes of it.
  private func expectNoRepetition(
    _ flow: FaultedFlow, _ fault: LineFault, _ stage: FaultStage, _ baseline: Baseline,
    since before: (count: Int, posts: [String: Int]), _ note: Comment
  ) {
    #expect(stage.asked() - before.count <= baseline.steps + 1, note)
    // The wait for another device asks again by its nature (RFC 8628 section 3.5).
    guard flow != .openIDDevice, flow != .oauth2Device else { return }
    for (path, count) in stage.posts() {
      let new = count - (before.posts[path] ?? 0)
      let allowed = (baseline.received[path] ?? 0) + (fault == .twice ? 1 : 0)
      #expect(new <= allowed, "\(note): \(path) was received \(new) times")
    }
  }

  private func expectCode(
    _ error: GatebookError, _ flow: FaultedFlow, _ fault: LineFault, _ note: Comment
  ) {
    var codes: [FailureCode] =
      switch fault {
      case .refused, .closed, .reset, .truncated, .held: [.networkUnreachable]
      case .serverError, .tooManyRequests: [.serverUnavailable]
      case .captivePortal: [.contentUnexpected, .loginUnprovable]
      case .twice:
        [.codeRefused, .credentialsRefused, .configurationInvalid, .challengeTimedOut]
      case .delayed: []
      }
    // The wait asks again: the server knows a code that it has granted no more.
    if flow == .openIDDevice || flow == .oauth2Device, LineFault.spending.contains(fault) {
      codes.append(.outcomeUnknown)
    }
    // A signed question that comes twice is refused the second time, also that of the proof.
    if flow == .oauth1, fault == .twice { codes.append(.loginUnprovable) }
    // A server that answers a form with a page, and the check URL with a redirect to it, has
    // refused.
    if flow == .form, fault == .captivePortal { codes.append(.credentialsRefused) }
    #expect(codes.contains(error.code), "\(note): \(error)")
  }
}

extension FaultStage {
  /// How often the server received a POST, by path.
  fileprivate func posts() -> [String: Int] {
    var counts: [String: Int] = [:]
    for request in received() where request.method == "POST" && !request.path.isRevocation {
      counts[request.path, default: 0] += 1
    }
    return counts
  }

  /// How many requests came, except for revocations of unclaimed grants.
  fileprivate func asked() -> Int {
    proxy.requests.filter { !$0.path.isRevocation }.count
  }
}

extension String {
  fileprivate var isRevocation: Bool { hasSuffix("/revoke") }
}
