extension Ledger {
  /// Takes turns at changing an account until none is lost to another writer.
  ///
  /// - Parameter turn: Reads first, then commits an append with the revision that it read: what
  ///   somebody writes in between fails it with `precondition.failed`, and the next turn reads that
  ///   too.
  /// - Returns: What the turn brought that was not lost.
  /// - Throws: `storage.busy` when others keep being faster; `precondition.failed` for an account
  ///   that was erased; whatever else a turn throws.
  func retryingOnConflict<Value>(
    _ turn: () async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    for _ in 0..<Self.maximumTurns {
      do throws(GatebookError) {
        return try await turn()
      } catch  where error.code == .preconditionFailed && !error.isFinal {
        continue
      }
    }
    throw Self.contended
  }

  /// Each turn lost is one that another writer won; so many in a row are no accident.
  static let maximumTurns = 100

  static var contended: GatebookError {
    GatebookError(
      .storageBusy, "Other processes change this account too often for this change to succeed.",
      kept: "The session is kept.", remedy: "Try again.")
  }
}
