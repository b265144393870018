extension AuthorizationManager {
  /// How the wait for a handler's callback ended.
  enum CallbackEnd {
    case returned
    /// The flow was cancelled, or gave way to another one.
    case interrupted
    /// It took longer than a challenge may stay unanswered.
    case late
  }

  /// Calls a handler and waits for it, but no longer than the flow runs or a challenge may stay
  /// unanswered: a handler that does not return must not block the account.
  @discardableResult
  func callBack(
    _ id: FlowID, _ body: @escaping @Sendable () async -> Void
  ) async -> CallbackEnd {
    let end = FirstValue<CallbackEnd>()
    flows[id]?.callback = end
    let clock = book.effects.clock
    // Before the handler is called: what it takes is a part of the time.
    let deadline = clock.now().boot + app.challengeTimeout
    // Not in a task group: that would wait for a handler that never returns. Nor is the handler's
    // task cancelled: it may be the one that cancelled the flow, with something left to do.
    Task {
      await body()
      await end.give(.returned)
    }
    let watching = Task {
      if await clock.reaches(deadline) { await end.give(.late) }
    }
    let result = await end.value
    watching.cancel()
    flows[id]?.callback = nil
    return result
  }

  /// Puts a challenge to the check's handler, if it has one.
  func put(_ challenge: SecurityCheckChallenge, _ id: FlowID) async {
    guard let handler = handlers[challenge.check] else { return }
    let end = await callBack(id) { await handler.handleChallenge(challenge) }
    // No caller that could replace it may come: those that wait already are served.
    if case .late = end, !queue.isEmpty, flowAwaiting(challenge.check) == id { giveWay() }
  }
}
