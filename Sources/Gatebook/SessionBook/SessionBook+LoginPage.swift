extension SessionBook {
  /// Records that a login page on this machine showed nothing to a visitor.
  ///
  /// The event belongs to no account: the visitor is unknown. The caller limits how many events a
  /// page writes, because any program on the machine can make such visits.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - count: How many such visits the event tells of; `nil` for one.
  /// - Throws: Storage failures; then nothing was recorded.
  package func recordRefusedVisit(
    _ reason: VisitRefused.Reason, count: Int64? = nil
  ) async throws(GatebookError) {
    try await ledger.commit(Append([ProposedEvent(VisitRefused(reason, count: count ?? 1))]))
  }
}
