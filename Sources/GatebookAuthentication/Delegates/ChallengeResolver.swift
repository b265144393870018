/// Decides about all challenges, of every login method, in logins, renewals, checks of a session and requests.
///
/// It is asked before the method answers. Without one, or with ``ChallengeDecision/performDefaultHandling``,
/// the method's own credentials and tokens answer, and certificates with defects are refused.
///
/// Only credentials with a ``ChallengeCredential/Persistence`` answer again without asking. Logouts and
/// messages of the outbox never ask, because nobody waits for a decision there.
///
/// Source: Liferay Screens, `challengeResolver`.
public protocol ChallengeResolver: Sendable {
  /// Decides; it may ask the user.
  ///
  /// If it takes longer than the time limit of its registration, the request fails with `challenge.timedOut`,
  /// and a later decision is ignored.
  ///
  /// - Parameter challenge: What is asked.
  /// - Returns: The decision.
  func resolve(_ challenge: Challenge) async -> ChallengeDecision
}

/// A resolver for apps with callbacks: the closure decides by calling back once.
public struct CallbackResolver: ChallengeResolver {
  /// Takes the decision; only the first call counts.
  public typealias Decide = @Sendable (ChallengeDecision) -> Void

  private let body: @Sendable (Challenge, @escaping Decide) -> Void

  /// Makes a resolver.
  ///
  /// - Parameter body: Receives the challenge and the function that takes the decision.
  public init(_ body: @escaping @Sendable (Challenge, @escaping Decide) -> Void) {
    self.body = body
  }

  /// Asks the closure; if the task is cancelled, the default handling applies.
  public func resolve(_ challenge: Challenge) async -> ChallengeDecision {
    // A stream keeps the order of calls from whatever thread they come.
    let (decisions, continuation) = AsyncStream.makeStream(
      of: ChallengeDecision.self, bufferingPolicy: .bufferingOldest(1))
    body(challenge) { decision in
      continuation.yield(decision)
      continuation.finish()
    }
    for await decision in decisions { return decision }
    return .performDefaultHandling
  }
}
