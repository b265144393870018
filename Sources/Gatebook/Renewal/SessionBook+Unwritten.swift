/// What a server has granted for something that is good for one use, and the book could not take yet, as on
/// a full disk (rule 5).
extension SessionBook {
  /// Whether what a server has granted is in memory alone: a program that ends now loses it, and may
  /// lose the session by that.
  ///
  /// So it is from the server's answer on until the answer is on disk. The book tries each second to write
  /// what it could not write at once, also after ``close()``.
  public var hasUnwrittenGrants: Bool {
    answersBeingWritten > 0 || !unsaved.isEmpty || !unsavedLogins.isEmpty
  }

  /// Waits until everything that servers have granted is on disk; for programs that are about to end.
  ///
  /// It takes as long as the book cannot be written: while it is busy, or its disk is full or cannot be
  /// written. A caller that is cancelled waits on: it decides itself what that would cost.
  ///
  /// - Parameter tell: Hears why the book cannot be written now, and each new reason.
  /// - Throws: Why it cannot be written where no wait helps: `storage.damaged`, `storage.newer`,
  ///   `storage.forked`. The grants are then still in memory, and sessions go on by them there.
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
