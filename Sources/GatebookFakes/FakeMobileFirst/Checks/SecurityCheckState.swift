internal import Gatebook

/// The state of one security check for one registered client: a value that gets the time as a
/// parameter.
///
/// ```
/// expired ──challenge or wrong answer──▶ attempting ──last wrong answer──▶ blocked
///    │                                     │    ▲                           │
///    │ right answer, remembered login      │    │ wrong answer              │ time
///    ▼                                     ▼    │                           ▼
/// success ◀──────────right answer──────────┴─ success ──────time──────▶ expired
/// ```
///
/// A phase is over when `now >= setAt + its length`. Entering another phase starts its clock and
/// sets the count of attempts to 0; entering the same one again does neither. Moments are cut to
/// milliseconds by who passes them; sums of 64 bits never wrap. The remembered login belongs to the
/// check, not to all checks of the client (inferred).
struct SecurityCheckState: Hashable, Sendable {
  /// The state of a check.
  enum Phase: Hashable, Sendable {
    case expired
    case attempting
    case success
    case blocked
  }

  /// What a check tells after one evaluation.
  enum Outcome: Hashable, Sendable {
    case success(FakeMobileFirstIdentity?)
    case challenge(message: String?, remaining: Int)
    case blocked
  }

  private(set) var phase = Phase.expired
  /// When the phase began.
  private(set) var setAt = Timestamp(rawValue: 0)
  /// Wrong answers of this phase.
  private(set) var attempts = 0
  /// Who succeeded last.
  private(set) var user: FakeMobileFirstIdentity?
  /// When a login was last remembered; `nil` when there is nothing to remember.
  private(set) var rememberedAt: Timestamp?
  /// Counts the success phases: a token is bound to one of them.
  private(set) var successCount = 0
  /// What the last wrong answer of this phase was told.
  private var message: String?

  /// Judges one request.
  ///
  /// - Parameters:
  ///   - verdict: What the credentials are worth; `nil` when none came.
  ///   - settings: The check's settings.
  ///   - now: The time.
  /// - Returns: What the check tells.
  mutating func evaluate(
    _ verdict: CredentialsVerdict?, by settings: FakeSecurityCheckSettings, at now: Timestamp
  ) -> Outcome {
    settle(by: settings, at: now)
    // While blocked, credentials are not even looked at.
    if phase != .blocked { judge(verdict, by: settings, at: now) }
    // A phase of length 0 is over at once.
    settle(by: settings, at: now)
    switch phase {
    case .success: return .success(user)
    case .blocked: return .blocked
    case .expired, .attempting:
      enter(.attempting, at: now)
      return .challenge(message: message, remaining: max(settings.maxAttempts - attempts, 0))
    }
  }

  /// Ends a phase whose time is over.
  mutating func settle(by settings: FakeSecurityCheckSettings, at now: Timestamp) {
    if let end = end(by: settings), now >= end { enter(.expired, at: now) }
  }

  /// When the phase is over; `nil` when it has no end.
  func end(by settings: FakeSecurityCheckSettings) -> Timestamp? {
    switch phase {
    case .expired: nil
    case .attempting: setAt + settings.attemptingStateExpiration
    case .success: setAt + settings.successStateExpiration
    case .blocked: setAt + settings.blockedStateExpiration
    }
  }

  /// Ends whatever phase there is, a block included, and the window of remembering; the user stays
  /// stored.
  mutating func logOut(at now: Timestamp) {
    enter(.expired, at: now)
    rememberedAt = nil
  }

  private mutating func judge(
    _ verdict: CredentialsVerdict?, by settings: FakeSecurityCheckSettings, at now: Timestamp
  ) {
    switch verdict {
    case .valid(let user, let wish)?:
      self.user = user
      enter(.success, at: now)
      rememberedAt = wish == true ? now : nil
    case .wrong(let message)?:
      enter(.attempting, at: now)
      attempts += 1
      self.message = message
      if attempts >= settings.maxAttempts { enter(.blocked, at: now) }
    case nil:
      guard phase == .expired, settings.rememberMeDuration > .zero, let rememberedAt,
        rememberedAt + settings.rememberMeDuration >= now
      else { return }
      // The stored user, with the time of the login itself; `rememberedAt` stays where it is.
      enter(.success, at: now)
    }
  }

  private mutating func enter(_ phase: Phase, at now: Timestamp) {
    guard phase != self.phase else { return }
    self.phase = phase
    setAt = now
    attempts = 0
    message = nil
    if phase == .success { successCount += 1 }
  }
}
