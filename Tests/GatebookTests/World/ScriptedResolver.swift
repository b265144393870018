import Gatebook

/// Decides as it was told, one decision after the other, and notes what it was asked.
final class ScriptedResolver: ChallengeResolver {
  private let decisions: TestBox<[ChallengeDecision]>
  private let last: ChallengeDecision
  private let heard = TestBox<[Challenge]>([])

  /// - Parameters:
  ///   - decisions: The decisions in their order.
  ///   - last: What it decides when they are used up.
  init(_ decisions: ChallengeDecision..., last: ChallengeDecision = .performDefaultHandling) {
    self.decisions = TestBox(decisions)
    self.last = last
  }

  var challenges: [Challenge] { heard.value }

  /// Each challenge as its scheme, realm and number of failures.
  var asked: [String] {
    challenges.map { challenge in
      switch challenge.question {
      case .credentials(let scheme, let realm):
        "\(scheme) \(realm ?? "-") \(challenge.previousFailureCount)"
      case .token(let scheme, let realm):
        "token \(scheme) \(realm ?? "-") \(challenge.previousFailureCount)"
      case .serverTrust: "trust \(challenge.previousFailureCount)"
      }
    }
  }

  func resolve(_ challenge: Challenge) async -> ChallengeDecision {
    heard.withLock { $0.append(challenge) }
    return decisions.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? last
  }
}

/// A resolver that never decides as long as the test holds it, and says when it is asked.
final class SilentResolver: ChallengeResolver {
  private let arrivals = AsyncStream.makeStream(of: Void.self)
  private let waiting = TestBox<[UnsafeContinuation<Void, Never>]>([])

  /// Waits until it is asked.
  func question() async {
    for await _ in arrivals.stream { return }
  }

  func resolve(_ challenge: Challenge) async -> ChallengeDecision {
    arrivals.continuation.yield()
    await withUnsafeContinuation { waiter in waiting.withLock { $0.append(waiter) } }
    return .performDefaultHandling
  }

  /// Releases all waiters: a task that waits forever is never freed.
  func end() {
    let waiters = waiting.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
