extension SessionBook {
  /// Moves the book's master key to another source, such as from a key file to the desktop's keyring.
  ///
  /// The key itself stays the same: this book and every other process that has it open go on, and
  /// checkpoints that were kept elsewhere stay good. Copies of the key stay good too: a move keeps
  /// out nobody who has one.
  ///
  /// The new source keeps the key and gives it back before anything is recorded (`key.changed`);
  /// the former one removes it only after the book was opened by the new one. A process that is
  /// killed at any point leaves a book that opens, by the recorded source: ``AutomaticKey`` finds
  /// it. What was still to be removed is removed when the key is moved to the same source again.
  ///
  /// The former key is removed by the source that this book was opened with; that one must know the
  /// recorded place, as ``AutomaticKey`` does. A key file that the person has named stays.
  ///
  /// - Parameter source: Where the key is to live; it must implement ``KeySource/keep(_:of:random:)``.
  ///   It may block for seconds, and a passphrase is asked for more than once.
  /// - Returns: What became of it, whether the former source let the key go included.
  /// - Throws: The new source's failure, such as `key.locked`, with the key where it was;
  ///   `storage.busy` while another process moves it; `storage` failures.
  @discardableResult
  public func moveKey(to source: any KeySource) async throws(GatebookError) -> KeyMove {
    try await store.get().moveKey(to: source, random: random)
  }
}
