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
        "That is no position.",
        remedy: "Give the number of an event, as `gatebook log` shows it; an account is named with "
          + "`--account`.")
    }
    return Position(rawValue: number)
  }

  /// Why a book has no event at a position: it is shorter, or the event is in its archive or lost.
  static func missing(_ position: Position, _ reader: BookReader) throws -> UsageError {
    let end = try reader.head().size
    guard let past = try reader.continuation(), position <= past.floor else {
      guard position.rawValue > end else { throw ToldEvents.missing(position) }
      return UsageError("The log has no event at this position.", remedy: "It ends at \(end).")
    }
    guard position > past.archived else {
      return UsageError(
        "The event at this position is in the archive"
          + "\(PastRendering.place(ofArchiveWith: position, reader)).",
        remedy:
          "Name the archive with `--book`, or take a position from \(past.archived.rawValue + 1) on."
      )
    }
    guard past.lost.contains(where: { $0.contains(position) }) else {
      throw ToldEvents.missing(position)
    }
    return UsageError(
      "The event at this position was lost before the book was recovered.",
      remedy: "See `gatebook verify`.")
  }

  /// Refuses what only the archive knows, also where single events of it still stand in the book.
  ///
  /// - Throws: `UsageError`, with the archive's place where that is known; `storage` failures.
  static func refuseArchived(_ position: Position, _ reader: BookReader) throws {
    guard let past = try reader.continuation(), position <= past.archived else { return }
    throw try missing(position, reader)
  }

  /// That the event is another account's.
  static let foreign = UsageError(
    "The event at this position is none of the account's.",
    remedy: "Leave out `--account`, or take a position that `gatebook log` shows with it.")
}
