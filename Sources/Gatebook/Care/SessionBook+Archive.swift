extension SessionBook {
  /// Moves the history so far into an archive and continues the book after it.
  ///
  /// The archive is a complete book that can be read and verified on its own and is never written again. This
  /// book keeps its file, identity, key, sessions and saved credentials. It continues from the state at the end
  /// of the archive; its next event, `book.continued`, records the hash of that state. Its log then begins
  /// there. Like every copy of a book, the archive holds the keys of its accounts, encrypted with the book's
  /// key.
  ///
  /// - Parameters:
  ///   - path: The archive's file, on a local file system; it must not exist yet.
  ///   - progress: Called with the progress and the total.
  /// - Returns: The archive.
  /// - Throws: `configuration.invalid` if the file exists; `storage.damaged` for a book that does not agree
  ///   with itself; other `storage` failures. The book is then unchanged.
  public func archive(
    to path: String, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Archive {
    try await store.get().archive(to: path, random: random, progress: progress)
  }
}
