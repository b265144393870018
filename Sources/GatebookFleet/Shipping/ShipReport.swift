public import Gatebook

/// What a shipment did.
public struct ShipReport: Hashable, Sendable {
  /// The book.
  public let book: BookID
  /// The history of the book in the fleet: 0 for the first one.
  public let branch: Int
  /// How many events the fleet took.
  public internal(set) var events: Int64
  /// How many events the fleet has of this history now.
  public internal(set) var size: Int64
  /// Whether the head was shipped with a signed checkpoint: that needs the book's key.
  public internal(set) var isSigned: Bool
  /// The last event that the history shares with another one, if this shipment found that the book
  /// was copied and both copies were used.
  public internal(set) var forkedAfter: Position?
}
