/// What became of an account that was erased.
public struct Erasure: Hashable, Sendable {
  /// The account as it is now: its history, without its person.
  public let context: SessionContext
  /// The event that says so.
  public let position: Position
  /// Whether it had been erased before: then only what was left to be wiped was wiped.
  public let isRepeated: Bool
  /// How many things its servers were still to be told, and cannot be any more: sessions and tokens
  /// that live there until they end by themselves.
  public let untold: Int
  /// Whether the destroyed key stands in no file of the book any more.
  ///
  /// `false` where a reader of an older state holds it up: whoever writes next does it then.
  public let isWiped: Bool
  /// Copies of the book that were made before, and may still hold the key.
  public let copies: [BookCopy]
}
