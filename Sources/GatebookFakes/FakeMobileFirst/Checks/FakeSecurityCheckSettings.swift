/// How many wrong answers a security check takes and how long its states hold.
///
/// A state is over when `now >= setAt + length`, in milliseconds.
public struct FakeSecurityCheckSettings: Hashable, Sendable {
  /// Wrong answers until the check is blocked.
  public var maxAttempts: Int
  /// The window in which wrong answers count together.
  public var attemptingStateExpiration: Duration
  /// How long a success holds; it does not slide.
  public var successStateExpiration: Duration
  /// How long a block lasts; zero for no lock-out.
  public var blockedStateExpiration: Duration
  /// The window after the last explicit login in which the login is remembered; zero for none.
  public var rememberMeDuration: Duration
  /// How long success and attempts outlive the last request; zero for ever (inferred: the test is
  /// inclusive, and a block is not shortened).
  public var inactivityTimeout: Duration

  /// Makes settings; those of the base classes unless given.
  ///
  /// - Parameters:
  ///   - maxAttempts: Wrong answers until the check is blocked.
  ///   - attempting: The window in which wrong answers count together.
  ///   - success: How long a success holds.
  ///   - blocked: How long a block lasts.
  ///   - rememberMe: How long a login is remembered.
  ///   - inactivity: How long the state outlives the last request.
  public init(
    maxAttempts: Int = 1, attempting: Duration = .seconds(120), success: Duration = .seconds(3600),
    blocked: Duration = .zero, rememberMe: Duration = .zero, inactivity: Duration = .zero
  ) {
    self.maxAttempts = maxAttempts
    attemptingStateExpiration = attempting
    successStateExpiration = success
    blockedStateExpiration = blocked
    rememberMeDuration = rememberMe
    inactivityTimeout = inactivity
  }

  /// The settings of the vendor's sample check `UserLogin`: 3 attempts in 120 s, success for 60 s,
  /// a block of 10 s, remembered for 120 s.
  public static let userLoginSample = FakeSecurityCheckSettings(
    maxAttempts: 3, success: .seconds(60), blocked: .seconds(10), rememberMe: .seconds(120))
}
