extension AuthorizationManager {
  /// The challenges that wait for an answer, by the names of their checks.
  public var openChallenges: [SecurityCheckChallenge] {
    (answerable?.open ?? [:]).values.filter(\.isAwaited).map(\.challenge)
      .sorted { $0.check.utf8.lexicographicallyPrecedes($1.check.utf8) }
  }

  /// Whether a check waits for an answer.
  public func isChallenged(_ check: String) -> Bool {
    flowAwaiting(check) != nil
  }

  /// Answers the open challenge of a check.
  ///
  /// The flow continues when all checks of the round have their answers: one request sends them
  /// all.
  ///
  /// - Parameters:
  ///   - answer: The answer; `nil` leaves the check without one.
  ///   - check: The check's exact name.
  /// - Throws: `precondition.failed` when the check does not ask for anything; nothing was sent.
  public func submitChallengeAnswer(
    _ answer: ChallengeAnswer?, to check: String
  ) async throws(GatebookError) {
    // First: while the book is asked, the flow may end and the next one begin.
    let name = try await fingerprint(ofNameIn: answer)
    guard let id = flowAwaiting(check), let open = flows[id]?.open[check] else {
      throw .notChallenged(check)
    }
    flows[id]?.open[check]?.answer = .recorded
    do throws(GatebookError) {
      if let answer {
        flows[id]?.answers.append(answer)
        try await record(
          answer: ProposedEvent(answered: open.challenge, fields: answer.fieldNames, name: name))
      }
    } catch {
      if flows[id]?.open[check] != nil { flows[id]?.open[check]?.answer = .awaited }
      // The session was ended meanwhile: the flow has nowhere to go.
      if error.code == .sessionRefused { interrupt(id, error) }
      throw error
    }
    // The challenge may have been cancelled while the answer was being recorded.
    guard let flow = flows[id], flow.interruption == nil, flow.open[check] != nil else {
      throw .notChallenged(check)
    }
    flows[id]?.open[check]?.answer = answer.map { .given($0) } ?? .dropped
    wakeIfSettled(id)
  }

  /// The fingerprint of the typed name, as other logins record it; `nil` where the account is
  /// known, or none was typed.
  func fingerprint(ofNameIn answer: ChallengeAnswer?) async throws(GatebookError) -> String? {
    guard account == nil, let name = answer?.userName, !name.isEmpty else { return nil }
    return try await book.nameFingerprint(of: app.person(name, loginName: name))
  }

  /// Cancels the open challenge of a check, and with it the whole flow.
  ///
  /// Its callers, and callers that wait for it, end with `challenge.cancelled`; later calls start
  /// again. No request is sent, no handler is called, and every check of the same round is free
  /// again.
  ///
  /// - Parameter check: The check's exact name.
  /// - Returns: Whether there was anything to cancel.
  @discardableResult
  public func cancel(_ check: String) -> Bool {
    guard let flow = answerable, flow.open[check] != nil else { return false }
    cancel(flow.id, .challengeWasCancelled)
    return true
  }

  /// Ends the open challenge of a check, and the whole flow, for a reason other than a cancel:
  /// after an answer failed and no other one is tried.
  ///
  /// It ends like ``cancel(_:)``, but with that failure for its callers and in the log: the
  /// challenge is `challenge.failed`, and a login that had begun `login.failed`, both with the
  /// failure's code.
  ///
  /// - Parameters:
  ///   - check: The check's exact name.
  ///   - reason: The reason, such as the `credentials.refused` of ``authenticate(_:check:)``.
  /// - Returns: Whether there was anything to end; then the end of the flow is recorded.
  @discardableResult
  public func giveUp(_ check: String, because reason: GatebookError) async -> Bool {
    guard let flow = answerable, flow.open[check] != nil else { return false }
    let end = promise(in: flow.id).end
    cancel(flow.id, reason)
    // Its failure is the reason itself.
    _ = try? await wait(end)
    return true
  }

  /// The flow that is running; one that is on its way out takes no answer.
  private var answerable: AuthorizationFlow? {
    running.flatMap { flows[$0] }.flatMap { $0.interruption == nil ? $0 : nil }
  }

  /// The flow in which a check waits for an answer.
  func flowAwaiting(_ check: String) -> FlowID? {
    answerable.flatMap { $0.open[check]?.isAwaited == true ? $0.id : nil }
  }

  /// Waits until all challenges of the round have their answers.
  func answers(of id: FlowID) async throws(GatebookError) -> [String: ChallengeAnswer] {
    let error: GatebookError? = await withCheckedContinuation { continuation in
      if let interruption = flows[id]?.interruption {
        continuation.resume(returning: interruption)
      } else {
        flows[id]?.wake = continuation
        wakeIfSettled(id)
      }
    }
    // A cancel may have come between the last answer and this.
    if let error = error ?? flows[id]?.interruption { throw error }
    let open = flows[id]?.open ?? [:]
    flows[id]?.open = [:]
    flows[id]?.challenged = nil
    return open.compactMapValues { check in
      if case .given(let answer) = check.answer { answer } else { nil }
    }
  }

  private func wakeIfSettled(_ id: FlowID) {
    guard let flow = flows[id], let wake = flow.wake,
      flow.open.values.allSatisfy(\.isSettled)
    else { return }
    flows[id]?.wake = nil
    wake.resume(returning: nil)
  }
}
