public import Gatebook

/// A book file that was made of what a fleet has.
public struct PullReport: Hashable, Sendable {
  /// The history that is in it.
  public let book: FleetBook
  /// Its file.
  public let path: String
  /// How many events are in it.
  public let events: Int64
  /// The position of the first one; earlier events are only in an archive of the book.
  public let first: Position
  /// The root of all events of the history, 64 hexadecimal digits.
  public let root: String
  /// Whether the book's own key has signed the root: otherwise nothing but the fleet says that the
  /// book had no other events.
  public var isSigned: Bool { book.checkpoint != nil }
}
