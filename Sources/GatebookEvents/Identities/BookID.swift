/// The identity of one book.
///
/// 16 random bytes, made when the book is created.
///
/// It binds encrypted data and checkpoints to their book.
public struct BookID: Identity {
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
