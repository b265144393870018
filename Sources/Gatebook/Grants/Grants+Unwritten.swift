extension Grants {
  /// Whether something that a server granted is only in memory: a program that ends now loses it,
  /// and perhaps the session.
  var hasUnwrittenGrants: Bool {
    answersBeingWritten > 0 || !ledger.unsaved.isEmpty || !unsavedLogins.isEmpty
  }

  /// Waits until everything that servers granted is on disk, for programs that are about to end.
  func waitUntilWritten(
    _ tell: @escaping @Sendable (GatebookError) async -> Void = { _ in }
  ) async throws(GatebookError) {
    let waiting = startTask { () -> GatebookError? in
      var told: GatebookError?
      while self.hasUnwrittenGrants {
        if let reason = self.unwrittenReason {
          if Self.isForGood(reason.code) { return reason }
          if told?.code != reason.code { await tell(reason) }
          told = reason
        }
        await self.ledger.clock.pause(for: .milliseconds(50))
      }
      return nil
    }
    if let failure = await waiting.value { throw failure }
  }

  private static func isForGood(_ code: FailureCode) -> Bool {
    [.storageDamaged, .storageNewer, .storageForked].contains(code)
  }
}
