extension SessionBook {
  /// Writes a copy of the whole book, at one moment, while other processes may write to the book.
  ///
  /// The copy opens with the book's key, which is not in it: back up the key too, in a different place. The
  /// copy holds the keys of all accounts; erasing an account later does not change the copy. So the copy is
  /// recorded before its first byte is written, and ``erase(_:)`` names it.
  ///
  /// It is written to a draft file, verified event by event, synced with its folder, and only then renamed. A
  /// killed process leaves a draft, `PATH-draft`, which the next backup to that path removes.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; only its owner can read it.
  ///   - replacing: Whether to replace an existing file; never an open book.
  ///   - progress: Called with the number of copied pages and the total.
  /// - Returns: The copy.
  /// - Throws: `configuration.invalid` for a path that is not writable or exists. `storage.full` if there is
  ///   not enough space. `storage.busy` while another backup is written to that path. `storage.damaged` if the
  ///   copy fails its verification. `cancelled`. After an error, nothing new is left at the path.
  @discardableResult
  public func backUp(
    to path: String, replacing: Bool = false,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> BookCopy {
    try await store.get().backUp(
      to: path, replacing: replacing, random: random, progress: progress)
  }
}
