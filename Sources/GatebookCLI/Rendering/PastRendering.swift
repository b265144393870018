internal import Gatebook

/// Says what a book does not have of its past.
enum PastRendering {
  /// Tells people, beside the results; programs find it in `verify --json`.
  @MainActor static func tell(_ reader: BookReader, _ output: Output) throws {
    guard !output.isJSON, let past = try reader.continuation() else { return }
    tell(past, output)
  }

  @MainActor static func tell(_ past: Continuation, _ output: Output) {
    if past.archived > .start {
      output.message("Events 1 to \(past.archived) are in the archive: name it with `--book`.")
    }
    for range in past.lost {
      output.message("Events \(range.lowerBound) to \(range.upperBound) are lost.")
    }
  }
}
