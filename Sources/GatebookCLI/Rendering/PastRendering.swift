internal import Gatebook

/// Says what a book does not have of its past.
enum PastRendering {
  /// Tells people, beside the results; programs find it in `verify --json`.
  @MainActor static func tell(_ reader: BookReader, _ output: Output) throws {
    guard !output.isJSON, let past = try reader.continuation() else { return }
    tell(past, output)
  }

  /// Refuses to go on behind a position in a book that has not all that comes behind it: what is only in the
  /// archive would be left out of what somebody adds up.
  ///
  /// - Parameters:
  ///   - position: Where somebody has read up to; from the start on everything that there is may be read.
  ///   - reader: The book.
  /// - Throws: `UsageError`; `storage` failures.
  @MainActor static func refuse(after position: Position, _ reader: BookReader) throws {
    guard position > .start, let end = try reader.continuation()?.archived, position < end else {
      return
    }
    let archive = try reader.copies().last { $0.kind == .archive && $0.events == end.rawValue }
    let name = archive?.place.value.map { ", \(Printable.text($0))" } ?? ""
    throw UsageError(
      "The events up to \(end) are in the archive\(name).",
      remedy: "Name it with `--book` for those behind \(position), then go on here with "
        + "`--after \(end)`.")
  }

  @MainActor static func tell(_ past: Continuation, _ output: Output) {
    if past.archived > .start {
      output.message("Events 1 to \(past.archived) are in the archive: name it with `--book`.")
    }
    for range in past.lost {
      output.message(
        range.lowerBound == range.upperBound
          ? "The event at position \(range.lowerBound) is lost."
          : "Events \(range.lowerBound) to \(range.upperBound) are lost.")
    }
  }
}
