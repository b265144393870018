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
        "`\(Printable.text(text))` is not a position in the log.",
        remedy:
          "Give the number of an event from `gatebook log`. To name an account, write `--account`.")
    }
    return Position(rawValue: number)
  }

  /// The event at a position, which must be the named account's.
  ///
  /// - Throws: `UsageError` where there is none, or it is another's; `storage` failures.
  @MainActor static func event(
    at position: Position, _ call: Call, _ reader: BookReader
  ) throws -> RecordedEvent {
    let named = try call.namedAccount(reader)
    guard let event = try reader.event(at: position) else { throw try missing(position, reader) }
    guard named == nil || event.account == named?.account else { throw foreign }
    return event
  }

  /// Why a book has no event at a position: it is shorter, or the event is in its archive or lost.
  static func missing(_ position: Position, _ reader: BookReader) throws -> UsageError {
    let end = try reader.head().size
    guard let past = try reader.continuation(), position <= past.floor else {
      guard position.rawValue > end else { throw ToldEvents.missing(position) }
      return UsageError(
        "The log has no event at position \(position).",
        remedy:
          "The last event is at position \(end).")
    }
    guard position > past.archived || !past.isForgotten else {
      return UsageError(
        "The fleet that this copy is from forgot the event at position \(position).",
        remedy: "Give a position from \(past.archived.rawValue + 1) on.")
    }
    guard position > past.archived else {
      return UsageError(
        "The event at position \(position) is in the "
          + "archive\(PastRendering.place(ofArchiveWith: position, reader)).",
        remedy:
          "Read the archive with `--book`, or give a position from \(past.archived.rawValue + 1) on."
      )
    }
    guard past.lost.contains(where: { $0.contains(position) }) else {
      throw ToldEvents.missing(position)
    }
    return UsageError(
      "The event at position \(position) was lost before the book was recovered.",
      remedy: "`gatebook verify` lists what was lost.")
  }

  /// Refuses what only the archive knows, even if the book still has single events of it.
  ///
  /// - Throws: `UsageError`, with the archive's place where that is known; `storage` failures.
  static func refuseArchived(_ position: Position, _ reader: BookReader) throws {
    guard let past = try reader.continuation(), position <= past.archived else { return }
    throw try missing(position, reader)
  }

  /// That the event is another account's.
  static let foreign = UsageError(
    "The event at this position does not belong to the account.",
    remedy: "Leave out `--account`, or give a position that `gatebook log` shows for this account.")
}
