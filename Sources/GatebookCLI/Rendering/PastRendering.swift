internal import Gatebook

/// Says what a book does not have of its past.
enum PastRendering {
  /// Tells people, beside the results; programs find it in `verify --json`.
  @MainActor static func tell(_ reader: BookReader, _ output: Output) throws {
    guard !output.isJSON, let past = try reader.continuation() else { return }
    tell(past, reader, output)
  }

  /// The place of the archive that has an event, after a comma; empty if that is not known here.
  ///
  /// Each archive of a book that was archived more than once continues the one before.
  static func place(ofArchiveWith position: Position, _ reader: BookReader) -> String {
    archive(with: position, reader).map { ", \($0.place)" } ?? ""
  }

  /// The path of the archive that has an event; `nil` if it is not known here.
  static func pathOfArchive(with position: Position, _ reader: BookReader) -> String? {
    ((try? reader.copies()) ?? []).filter { copy in
      copy.kind == .archive && copy.events ?? 0 >= position.rawValue
    }.min { $0.events ?? 0 < $1.events ?? 0 }?.place.value
  }

  private static func archive(
    with position: Position, _ reader: BookReader
  ) -> (end: Int64, place: String)? {
    archives(reader).first { $0.end >= position.rawValue }
  }

  /// The archives whose places are known, in the order of what they hold, with the last event of
  /// each.
  private static func archives(
    _ reader: BookReader
  ) -> [(end: Int64, place: String)] {
    // A place that does not open any more is not missed here: `doctor` tells of it.
    ((try? reader.copies()) ?? []).compactMap { copy in
      guard copy.kind == .archive, let end = copy.events, let place = copy.place.value else {
        return nil
      }
      return (end, Printable.text(place))
    }.sorted { $0.end < $1.end }
  }

  /// Refuses to continue after a position if the book lacks some of the events after it: a sum
  /// would miss the events that are only in the archive.
  ///
  /// - Parameters:
  ///   - position: Where somebody has read up to; from the start on everything that there is may be
  ///     read.
  ///   - reader: The book.
  ///   - keyed: Opens it with its key, for the archive's place, where the reader may be without.
  /// - Throws: `UsageError`; `storage` failures.
  @MainActor static func refuse(
    after position: Position, _ reader: BookReader, naming keyed: () -> BookReader? = { nil }
  ) throws {
    guard position > .start, let end = try reader.continuation()?.archived, position < end else {
      return
    }
    guard try reader.continuation()?.isForgotten != true else {
      throw UsageError(
        "The fleet that this copy is from forgot the events after \(position), up to \(end).",
        remedy: "Continue with `--after \(end)`.")
    }
    let next = archive(with: Position(rawValue: position.rawValue + 1), keyed() ?? reader)
    throw UsageError(
      "The events after \(position) are in the archive\(next.map { ", \($0.place)" } ?? "").",
      remedy:
        "Read them from the archive with `--book`, then continue here with `--after "
        + "\(next?.end ?? end.rawValue)`.")
  }

  /// The archives that have a past, by their places as far as they are known.
  static func names(_ reader: BookReader) -> String {
    let known = archives(reader)
    let names = known.map { known.count == 1 ? $0.place : "\($0.place) (up to \($0.end))" }
    return "the archive" + names.map { ", " + $0 }.joined()
  }

  /// Tells it of a past that was read already.
  @MainActor static func tell(
    _ past: Continuation, _ reader: BookReader, _ output: Output
  ) {
    if past.archived > .start {
      output.message(
        past.isForgotten
          ? "The fleet that this copy is from forgot the events 1 to \(past.archived)."
          : "Events 1 to \(past.archived) are in \(names(reader)): read it with `--book`.")
    }
    for range in past.lost {
      output.message(
        range.lowerBound == range.upperBound
          ? "The event at position \(range.lowerBound) is lost."
          : "Events \(range.lowerBound) to \(range.upperBound) are lost.")
    }
  }
}
