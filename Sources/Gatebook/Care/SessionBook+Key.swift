extension SessionBook {
  /// Moves the book's master key to another source, such as from a key file to the desktop keyring.
  ///
  /// The key itself does not change: processes that have the book open continue, and checkpoints kept elsewhere
  /// stay valid. Copies of the key also still open the book, so a move does not lock anybody out.
  ///
  /// The new source stores the key and returns it before anything is recorded (`key.changed`). The old source
  /// removes it only after the book was opened with the new one. If the process is killed at any point, the
  /// book still opens with the recorded source: ``AutomaticKey`` finds it. A leftover is removed when the key
  /// is moved to the same source again.
  ///
  /// The source that opened this book removes the old key; it must know the recorded place, as ``AutomaticKey``
  /// does. A key file that the user named is kept.
  ///
  /// - Parameter source: The new place of the key; it must implement ``KeySource/keep(_:of:random:)``. It may
  ///   block for seconds, and a passphrase is asked for more than once.
  /// - Returns: The result, including whether the old source removed the key.
  /// - Throws: The new source's failure, such as `key.locked`, with the key not moved; `storage.busy` while
  ///   another process moves it; `storage` failures.
  @discardableResult
  public func moveKey(to source: any KeySource) async throws(GatebookError) -> KeyMove {
    try await store.get().moveKey(to: source, random: random)
  }
}
