/// The identity of one account: one person at one server.
///
/// 16 random bytes.
///
/// Stays the account's for ever; an erased one is never used again.
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
