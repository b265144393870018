extension SessionBook {
  /// Writes a copy of the whole book while others write: the book as it is at one moment.
  ///
  /// The copy opens with the same key as the book, which is not in it: keep a copy of the key, too, and
  /// not beside it. It holds the keys of all accounts that the book has now; erasing one later does not
  /// reach it. So it is recorded before its first byte is written, and ``erase(_:)`` names it.
  ///
  /// It is written beside its place, verified event by event, and only then put in place, synced with its
  /// folder. A process that is killed on the way leaves a draft, `PATH-draft`, which the next backup to
  /// that place takes away.
  ///
  /// - Parameters:
  ///   - path: Where the copy is to stand; only its owner can read it.
  ///   - replacing: Whether a file that stands there already is replaced; never a book that is open.
  ///   - progress: Told how many pages are copied, and of how many.
  /// - Returns: The copy.
  /// - Throws: `configuration.invalid` for a place that cannot be written or is taken; `storage.full`
  ///   without room there; `storage.busy` while another backup is written there; `storage.damaged` when
  ///   the copy does not verify; `cancelled`. Then nothing stands at the place that did not before.
  @discardableResult
  public func backUp(
    to path: String, replacing: Bool = false,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> BookCopy {
    try await store.get().backUp(
      to: path, replacing: replacing, random: random, progress: progress)
  }
}
