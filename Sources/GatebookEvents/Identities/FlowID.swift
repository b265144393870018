/// Identifies one authorization flow: its call, its challenges and its events have it.
public struct FlowID: Identity {
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
