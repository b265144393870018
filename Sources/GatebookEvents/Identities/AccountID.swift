/// The identity of one account: one person at one server (and one client).
///
/// 16 random bytes.
///
/// It never changes and is never used again, also after an erase.
public struct AccountID: Identity {
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
