/// Decides about challenges: all of them, of every login method, in logins, renewals, proofs and
/// requests.
///
/// It is asked before the method answers. Without one, and by
/// ``ChallengeDecision/performDefaultHandling``, the method's own credentials and tokens answer what
/// they can, and certificates with defects are refused.
///
/// Only what it has given to be kept answers without asking again
/// (``ChallengeCredential/Persistence``). Logouts, and what the outbox sends, ask nobody: nobody waits
/// there for a decision.
///
/// Source: Liferay Screens, `challengeResolver`.
public protocol ChallengeResolver: Sendable {
  /// Decides; it may ask a person.
  ///
  /// The time limit of its registration ends the wait: the request then fails with
  /// `challenge.timedOut`, and what is returned later is ignored.
  ///
  /// - Parameter challenge: What is asked.
  /// - Returns: The decision.
  func resolve(_ challenge: Challenge) async -> ChallengeDecision
}

/// A resolver for apps that are built around callbacks: the closure decides by calling back once.
public struct CallbackResolver: ChallengeResolver {
  /// Takes the decision; the first call counts, every further one is ignored.
  public typealias Decide = @Sendable (ChallengeDecision) -> Void

  private let body: @Sendable (Challenge, @escaping Decide) -> Void

  /// Makes a resolver.
  ///
  /// - Parameter body: Gets the challenge and what takes the decision.
  public init(_ body: @escaping @Sendable (Challenge, @escaping Decide) -> Void) {
    self.body = body
  }

  /// Asks the closure; a wait that is cancelled ends with the default handling.
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
