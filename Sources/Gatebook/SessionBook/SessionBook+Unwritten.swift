extension SessionBook {
  /// Whether something that a server granted is only in memory: a program that ends now loses it,
  /// and perhaps the session.
  ///
  /// This is true from the server's answer until it is on disk. The book tries each second to write
  /// what it could not write at once, also after ``close()``.
  public var hasUnwrittenGrants: Bool {
    grants.hasUnwrittenGrants
  }

  /// Waits until everything that servers granted is on disk, for programs that are about to end.
  ///
  /// It waits as long as the book cannot be written, for example because it is locked or its disk
  /// is full. Cancelling the caller does not stop the wait.
  ///
  /// - Parameter tell: Called with the reason why the book cannot be written, and with each new
  ///   reason.
  /// - Throws: Why the book can never be written: `storage.damaged`, `storage.newer`,
  ///   `storage.forked`. The grants are then still in memory, and sessions in this process continue
  ///   with them.
  public func waitUntilWritten(
    _ tell: @escaping @Sendable (GatebookError) async -> Void = { _ in }
  ) async throws(GatebookError) {
    try await grants.waitUntilWritten(tell)
  }
}
