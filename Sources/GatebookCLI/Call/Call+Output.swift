internal import Gatebook
internal import GatebookSystem

extension Call {
  /// Refuses to write results over the book or its key.
  ///
  /// - Parameters:
  ///   - path: Where results are to be written.
  ///   - reader: The book.
  ///   - isCopy: Whether a copy of the book is written, which may take an older one's place.
  /// - Throws: `UsageError` for a file of the book's own, or another book.
  func checkOutput(
    _ path: String, _ reader: BookReader, isCopy: Bool = false
  ) throws(UsageError) {
    let named = reader.keyDescription.parameters["path"]?.text
    let given: String? = if case .file(let path) = globals.key { path } else { nil }
    let usual = surroundings.keyFolder.map { "\($0)/\(reader.id).key" }
    let book = BookPath.following(globals.book)
    let own =
      ["", "-wal", "-shm", "-lock", "-reserve"].map { book + $0 }
      + [named, given, usual].compactMap(\.self)
    guard !reader.claims(path), own.allSatisfy({ !Files.isSame($0, path) }) else {
      throw UsageError(
        "That file belongs to the book, or is its key. Overwriting it would lose every session.",
        remedy: "Choose another file.")
    }
    guard isCopy || !DatabaseFile.stands(at: path) else {
      throw UsageError(
        "That file is a database, perhaps another book. Gatebook does not overwrite databases.",
        remedy: "Choose another file.")
    }
  }
}
