internal import Gatebook

/// The position of an event, as a person writes it.
enum EventPosition {
  /// Reads it.
  ///
  /// - Parameter text: A number from 1.
  /// - Returns: The position.
  /// - Throws: `UsageError` for anything else.
  static func read(_ text: String) throws(UsageError) -> Position {
    guard let number = Int64(text), number > 0 else {
      throw UsageError(
        "That is no position.", remedy: "Give the number of an event, as `gatebook log` shows it.")
    }
    return Position(rawValue: number)
  }

  /// That the book is shorter.
  static func missing(_ size: Int64) -> UsageError {
    UsageError("The log has no event at this position.", remedy: "It ends at \(size).")
  }

  /// That the event is another account's.
  static let foreign = UsageError(
    "The event at this position is none of the account's.",
    remedy: "Leave out `--account`, or take a position that `gatebook log` shows with it.")
}
