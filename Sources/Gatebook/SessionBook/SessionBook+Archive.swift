extension SessionBook {
  /// Makes the book as it is an archive, and goes on behind it.
  ///
  /// The archive is a whole book, to be read and verified by itself; nobody writes to it any more. This
  /// book keeps its file, its identity, its key, its sessions and what is saved for them, and goes on
  /// from the state at the archive's end, whose hash its next event, `book.continued`, records. Its
  /// log, and what looks back in time, then begin there. Like every copy of a book the archive holds
  /// the keys of its accounts, sealed under the book's key.
  ///
  /// - Parameters:
  ///   - path: The archive's file, on a local file system; there must not be one yet.
  ///   - progress: Told how far it has come, and of how much.
  /// - Returns: The archive.
  /// - Throws: `configuration.invalid` where there is a file already; `storage.damaged` for a book that
  ///   does not agree with itself; other `storage` failures. The book is then as before.
  public func archive(
    to path: String, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Archive {
    try await store.get().archive(to: path, random: random, progress: progress)
  }
}
