internal import Gatebook

/// Events that were printed, which must be what was recorded.
enum ToldEvents {
  /// What the help of a command says that prints single events.
  static let help =
    "An event that does not match its hash is still printed, and the exit is 5. `gatebook verify` "
    + "checks every event against the book's root."

  /// What the help of a command says that prints events in a row.
  static let gaps =
    "If events are missing from the log, the last line names them and the exit is 5. With options that "
    + "leave events out, this is not checked."

  /// What the help of a command says that reads without looking at hashes.
  static let unchecked =
    "The command does not check what it reads. `gatebook verify` checks the log, and `gatebook rebuild "
    + "--check` the states computed from it."

  /// That an event is missing which the log has had.
  static func missing(_ position: Position) -> GatebookError {
    damage(
      "The event at position \(position) is missing: the log was damaged or tampered with.",
      kept: "The file was not changed.")
  }

  private static func damage(_ message: String, kept: String) -> GatebookError {
    GatebookError(
      .storageDamaged, message, kept: kept,
      remedy: "Keep a copy of the file. `gatebook verify` shows which events are still proven.")
  }

  /// Refuses a good end where an event that was printed is not what was recorded, or one between
  /// them is missing.
  ///
  /// - Parameters:
  ///   - positions: The events' positions.
  ///   - missing: The positions that are missing between them.
  ///   - reader: The book.
  /// - Throws: `storage.damaged` for an event that does not agree with its hash, and for one that
  ///   is missing; `storage` failures.
  static func check(
    _ positions: [Position], missing: MissingEvents? = nil, _ reader: BookReader
  ) throws(GatebookError) {
    let changed = try reader.changedEvents(among: positions)
    let sentences = [missing?.sentence, sentence(changed)].compactMap(\.self)
    guard !sentences.isEmpty else { return }
    throw damage(
      sentences.joined(separator: " "),
      kept: "The events were printed as they are in the book; the file was not changed.")
  }

  private static func sentence(_ changed: [Position]) -> String? {
    guard let first = changed.first else { return nil }
    let others = changed.count - 1
    return "The event at position \(first) is not what was recorded"
      + (others == 0
        ? "." : ", and neither is \(others == 1 ? "another one" : "any of \(others) others").")
  }
}
