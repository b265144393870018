/// The identity of one session or login attempt.
///
/// 16 random bytes.
///
/// All events of one login, from its start to its end, have it.
public struct SessionID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
