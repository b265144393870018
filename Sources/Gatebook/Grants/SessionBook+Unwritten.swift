/// What a server has granted for something that is good for one use, and the book could not take yet, as on
/// a full disk (rule 5).
extension SessionBook {
  /// Whether something that a server granted is only in memory: a program that ends now loses it, and perhaps
  /// the session.
  ///
  /// This is true from the server's answer until it is on disk. The book tries each second to write what it
  /// could not write at once, also after ``close()``.
  public var hasUnwrittenGrants: Bool {
    answersBeingWritten > 0 || !unsaved.isEmpty || !unsavedLogins.isEmpty
  }

  /// Waits until everything that servers granted is on disk, for programs that are about to end.
  ///
  /// It waits as long as the book cannot be written, for example because it is locked or its disk is full.
  /// Cancelling the caller does not stop the wait.
  ///
  /// - Parameter tell: Called with the reason why the book cannot be written, and with each new reason.
  /// - Throws: Why the book can never be written: `storage.damaged`, `storage.newer`, `storage.forked`. The
  ///   grants are then still in memory, and sessions in this process continue with them.
  public func waitUntilWritten(
    _ tell: @escaping @Sendable (GatebookError) async -> Void = { _ in }
  ) async throws(GatebookError) {
    let waiting = Task { () -> GatebookError? in
      var told: GatebookError?
      while hasUnwrittenGrants {
        if let reason = unwrittenReason {
          if Self.isForGood(reason.code) { return reason }
          if told?.code != reason.code { await tell(reason) }
          told = reason
        }
        try? await Task.sleep(for: .milliseconds(50))
      }
      return nil
    }
    if let failure = await waiting.value { throw failure }
  }

  private static func isForGood(_ code: FailureCode) -> Bool {
    [.storageDamaged, .storageNewer, .storageForked].contains(code)
  }
}
