/// The identity of one copy of a book, such as a backup.
///
/// 16 random bytes, made before the copy is begun.
public struct CopyID: Identity {
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
