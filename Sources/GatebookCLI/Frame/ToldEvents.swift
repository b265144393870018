internal import Gatebook

/// Events that were printed, which must be what was recorded.
enum ToldEvents {
  /// What the help of a command says that prints single events.
  static let help =
    "An event that does not match its hash is printed as it is, and the exit is 5. `gatebook verify` checks every "
    + "event against the book's root."

  /// What the help of a command says that prints events in a row.
  static let gaps =
    "If events are missing from the log, they are named at the end and the exit is 5, unless options leave "
    + "events out."

  /// What the help of a command says that reads without looking at hashes.
  static let unchecked =
    "The command does not check what it reads: `gatebook verify` checks the log, and `gatebook rebuild --check` the "
    + "states computed from it."

  /// That an event is missing which the log has had.
  static func missing(_ position: Position) -> GatebookError {
    GatebookError(
      .storageDamaged,
      "The event at position \(position) is missing: the log was damaged or tampered with.",
      kept: "The file was left as it is.",
      remedy: "`gatebook verify` says what can be relied on. Keep a copy of the file.")
  }

  /// Refuses a good end where an event that was printed is not what was recorded, or one between them is
  /// missing.
  ///
  /// - Parameters:
  ///   - positions: Where the events stand.
  ///   - missing: What ought to stand between them.
  ///   - reader: The book.
  /// - Throws: `storage.damaged` for an event that does not agree with its hash, and for one that is missing;
  ///   `storage` failures.
  static func check(
    _ positions: [Position], missing: MissingEvents? = nil, _ reader: BookReader
  ) throws(GatebookError) {
    let changed = try reader.changedEvents(among: positions)
    let sentences = [missing?.sentence, sentence(changed)].compactMap(\.self)
    guard !sentences.isEmpty else { return }
    throw GatebookError(
      .storageDamaged, sentences.joined(separator: " "),
      kept: "What stands in the book now was printed; the file was left as it is.",
      remedy: "`gatebook verify` says what can be relied on. Keep a copy of the file.")
  }

  private static func sentence(_ changed: [Position]) -> String? {
    guard let first = changed.first else { return nil }
    let others = changed.count - 1
    return "The event at position \(first) is not what was recorded"
      + (others == 0
        ? "." : ", and neither is \(others == 1 ? "another one" : "any of \(others) others").")
  }
}
