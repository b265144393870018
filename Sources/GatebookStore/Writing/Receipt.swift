package import GatebookEvents

/// The lasting positions of an append's events.
package struct Receipt: Hashable, Sendable {
  /// The first event's position; the others follow without a gap.
  package let first: Position
  /// How many there are.
  package let count: Int
  /// Whether they were in the book before this call.
  package let isRepetition: Bool

  /// The position of the event with this index in the append.
  package subscript(index: Int) -> Position {
    Position(rawValue: first.rawValue + Int64(index))
  }

  /// The last event's position; that before `first` where there are none.
  package var last: Position { self[count - 1] }
}
