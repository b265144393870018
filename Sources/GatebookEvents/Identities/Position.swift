/// The place of an event in its book: 1 for the first, no gaps, never reused.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 1 or more; 0 only as "before the first event".
  public let rawValue: Int64

  /// Makes a position from its number.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Before the first event.
  public static let start = Position(rawValue: 0)

  /// The number.
  public var description: String { String(rawValue) }

  /// Whether the left position comes first.
  public static func < (left: Position, right: Position) -> Bool {
    left.rawValue < right.rawValue
  }
}
