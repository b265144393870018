internal import Gatebook

/// Says what a book does not have of its past.
enum PastRendering {
  /// Tells people, beside the results; programs find it in `verify --json`.
  @MainActor static func tell(_ reader: BookReader, _ output: Output) throws {
    guard !output.isJSON, let past = try reader.continuation() else { return }
    try tell(past, reader, output)
  }

  /// Where the archive was put that ends at a position, behind a comma; empty where that is not known here.
  static func place(ofArchiveUpTo end: Position, _ reader: BookReader) throws -> String {
    let archive = try reader.copies().last { $0.kind == .archive && $0.events == end.rawValue }
    return archive?.place.value.map { ", \(Printable.text($0))" } ?? ""
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
    throw UsageError(
      "The events up to \(end) are in the archive\(try place(ofArchiveUpTo: end, reader)).",
      remedy: "Name it with `--book` for those behind \(position), then go on here with "
        + "`--after \(end)`.")
  }

  /// Tells it of a past that was read already.
  @MainActor static func tell(
    _ past: Continuation, _ reader: BookReader, _ output: Output
  ) throws {
    if past.archived > .start {
      let name = try place(ofArchiveUpTo: past.archived, reader)
      output.message(
        "Events 1 to \(past.archived) are in the archive\(name): name it with `--book`.")
    }
    for range in past.lost {
      output.message(
        range.lowerBound == range.upperBound
          ? "The event at position \(range.lowerBound) is lost."
          : "Events \(range.lowerBound) to \(range.upperBound) are lost.")
    }
  }
}
