public import GatebookCrypto

/// Decides about all challenges, of every login method, in logins, renewals, checks of a session
/// and requests.
///
/// It is asked before the method answers. Without one, or with
/// ``ChallengeDecision/performDefaultHandling``, the method's own credentials and tokens answer,
/// and certificates with defects are refused.
///
/// Only credentials with a ``ChallengeCredential/Persistence`` answer again without asking. Logouts
/// and messages of the outbox never ask, because nobody waits for a decision there.
///
/// Source: Liferay Screens, `challengeResolver`.
public protocol ChallengeResolver: Sendable {
  /// Decides; it may ask the user.
  ///
  /// If it takes longer than the time limit of its registration, the request fails with
  /// `challenge.timedOut`, and a later decision is ignored.
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

/// What an app decides about a challenge: exactly one of these.
///
/// Source: Liferay Screens, `challengeResolver`; the names are those of `URLSession`.
public enum ChallengeDecision: Sendable {
  /// Answer with this user name and password. If they cannot answer the question, the next
  /// challenge of the same answer is asked.
  case useCredential(ChallengeCredential)
  /// Accept exactly this key on this host and port, with the defects that it showed. The decision
  /// is recorded and is valid for the account until it is revoked.
  case acceptCertificate
  /// Do what happens without a resolver: the method's own credentials, tokens and handlers answer,
  /// or the refusal is final.
  case performDefaultHandling
  /// Cancel the request.
  case cancelAuthenticationChallenge
  /// Try the next challenge of the same answer.
  case rejectProtectionSpace
}

/// A user name and a password that an app gives for a challenge.
public struct ChallengeCredential: Sendable {
  /// How long the book keeps a credential; the names are those of `URLCredential.Persistence`.
  public enum Persistence: String, Sendable {
    /// For this request only.
    case none
    /// Until the session ends, encrypted.
    case forSession
    /// Until it is removed, encrypted, also for later sessions of the account.
    case permanent
  }

  /// The user name.
  public var user: String
  /// The password.
  public var password: Secret
  /// How long it is kept.
  public var persistence: Persistence

  /// Makes a credential.
  public init(user: String, password: Secret, persistence: Persistence = .none) {
    self.user = user
    self.password = password
    self.persistence = persistence
  }
}
