/// The identity of one event: a UUID of version 7 (RFC 9562 section 5.7), so later ids sort later.
///
/// Appending a known id again changes nothing, so that a retry is safe.
public struct EventID: Identity {
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
