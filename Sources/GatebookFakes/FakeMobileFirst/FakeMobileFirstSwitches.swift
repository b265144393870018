/// How a fake MobileFirst server behaves, right or wrong; every switch may be changed while it
/// runs.
///
/// What happens to the next requests only is a method of the server instead.
public struct FakeMobileFirstSwitches: Hashable, Sendable {
  /// How far the server's clock is ahead, in milliseconds; negative when it is behind.
  ///
  /// It moves `serverTimeStamp`, `authenticatedAt`, `Date` and the time that assertions are judged
  /// by; states, codes and tokens keep their lengths.
  public var clockSkewMs: Int64 = 0
  /// Whether `successes` come without `clockSynchronization`.
  public var omitClock = false
  /// Whether remembering has the faults of the vendor's base classes: a login that declines leaves
  /// an earlier window open, a missing `rememberMe` repeats the last wish, and a window above
  /// 2 147 483 s overflows 32 bits.
  public var quirkMode = false
  /// The status of a preauthorize with failures; 222 is what hybrid clients are shown.
  public var failureStatus = 403
  /// Whether an authorization answers as to a web client: 200 with `{"code"}` or `{"error"}`.
  public var answersCodeInBody = false

  /// Makes the switches of a server that behaves well.
  public init() {}
}
