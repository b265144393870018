internal import Gatebook

/// Why a fleet does not take the events of a book.
enum ShipRefusal {
  /// The fleet has more events than the book.
  static func ahead(_ branch: FleetBranch, _ extent: LogExtent) -> GatebookError {
    GatebookError(
      .fleetAhead,
      "The fleet has \(branch.size) events of this book, and the book has only \(extent.size).",
      kept: "Nothing was sent, and the fleet keeps all of its events.",
      remedy:
        "The book was probably restored from an older copy. `gatebook fleet pull` writes the fleet's "
        + "events into a file. If the book records events from here on, the fleet keeps them as a "
        + "second history.")
  }

  /// The fleet begins after these events.
  static func precedes(_ branch: FleetBranch, _ extent: LogExtent) -> GatebookError {
    GatebookError(
      .fleetAhead,
      "The fleet has this book from position \(branch.first) on, and these events end at position "
        + "\(extent.size).",
      kept: "Nothing was sent, and the fleet keeps all of its events.",
      remedy:
        "Keep the file. A fleet takes an archive only before the book that continues it: ship both to "
        + "another fleet, the archive first.")
  }

  /// Events are missing that the book counts.
  static func incomplete(after position: Int64) -> GatebookError {
    GatebookError(
      .storageDamaged, "The book does not have all of its events after position \(position).",
      kept: "The fleet has the events before it.",
      remedy: "Check the book with `BookVerifier`, and recover it with `BookRecovery`.")
  }

  /// The next events are in an archive.
  static func gap(_ missing: ClosedRange<Int64>) -> GatebookError {
    GatebookError(
      .fleetGap,
      "The fleet needs the events from \(missing.lowerBound) to \(missing.upperBound) first. They "
        + "are in an archive of the book.",
      kept: "Nothing was sent.", remedy: "Ship the archive, then the book."
    ).with(\.position, Position(rawValue: missing.lowerBound))
  }

  /// An event before one that both have was changed.
  static func differs(_ position: Int64) -> GatebookError {
    GatebookError(
      .fleetMismatch,
      "The book and the fleet have the same event at position \(position), but different events "
        + "before it: one of them was changed.",
      kept: "Nothing was sent, and the fleet keeps its events.",
      remedy: "Check both: `BookVerifier` for the book, `FleetVerifier` for the fleet.")
  }

  /// The part of the book moves to another server.
  static func moving(_ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetUnreachable,
      "In the fleet at \(address), the part with this book is moving to another server.",
      kept: "The fleet keeps what it confirmed.", remedy: "Ship again in a moment.")
  }

  /// What the accepting function says to a batch.
  static func refused(
    _ verdict: String, at position: Int64?, _ book: BookID, _ address: FleetAddress
  ) -> GatebookError {
    let place = position.map { " at position \($0)" } ?? ""
    let message: String
    switch verdict {
    case "owner": return Standing.foreign(book, address)
    case "moving": return moving(address)
    case "key": return PseudonymRefusal.shipped(address)
    case "leaf":
      return GatebookError(
        .storageDamaged, "The event\(place) does not match its own hash, so the fleet refused it.",
        kept: "The fleet has the events before it.",
        remedy: "Check the book with `BookVerifier`.")
    case "gap", "differs", "root", "unknown":
      message = "Another shipper of this book was faster, or the fleet was changed\(place)."
    default: message = "The fleet refused a batch of events (\(verdict))\(place)."
    }
    return GatebookError(
      .fleetMismatch, message, kept: "The fleet keeps what it had, and recorded the refusal.",
      remedy: "Ship again. If it fails again, `gatebook fleet findings` shows what was refused.")
  }
}
