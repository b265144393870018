package import GatebookEvents

/// Why no book is made of what a fleet has.
package enum PullRefusal {
  /// An event is not there.
  static func missing(_ position: Int64, of book: BookID) -> GatebookError {
    damaged("The event at position \(position) is missing.", of: book)
  }

  /// An event is not what a book writes.
  package static func unreadable(
    _ position: Int64, of book: BookID, cause: String? = nil
  ) -> GatebookError {
    damaged("The event at position \(position) cannot be read.", of: book, cause: cause)
  }

  /// What is there does not agree with itself, or with its head.
  package static func damaged(
    _ problem: String, of book: BookID, cause: String? = nil
  ) -> GatebookError {
    GatebookError(
      .fleetMismatch, "What the fleet has of book \(book) is damaged. \(problem)",
      kept: "No file was created.",
      remedy:
        "`FleetVerifier` lists what was changed. The book itself is on its own machine.",
      cause: cause)
  }

  /// A shipper has begun to send the book.
  package static func incomplete(of book: BookID) -> GatebookError {
    GatebookError(
      .fleetGap, "The fleet does not have all events of the beginning of book \(book) yet.",
      kept: "No file was created.",
      remedy: "Pull the book again once its machine has shipped it.")
  }

  /// Encrypted facts were never sent.
  package static func withheld(_ count: Int64, of book: BookID) -> GatebookError {
    let events =
      count == 0
      ? "events that book \(book) begins with"
      : count == 1 ? "one event of book \(book)" : "\(count) events of book \(book)"
    return GatebookError(
      .fleetWithheld,
      "The encrypted facts of \(events) were never sent to the fleet, so no copy can be made of it.",
      kept: "No file was created. The fleet keeps the events.",
      remedy:
        "Ask the fleet itself about these events. A copy can be made only of books that are always shipped "
        + "with their encrypted facts.")
  }
}
