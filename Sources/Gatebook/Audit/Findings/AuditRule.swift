/// One rule: sees the events of its kinds in the order of the book and says what is to be looked
/// at.
protocol AuditRule {
  /// The kinds that it sees.
  static var kinds: Set<EventKind> { get }

  /// Takes the next event.
  ///
  /// - Parameters:
  ///   - event: The event; its facts are good until this returns.
  ///   - findings: Where what it finds is put.
  mutating func take(_ event: ScannedEvent, into findings: inout FindingList)

  /// Adds what was unfinished at the end of the log.
  ///
  /// - Parameter findings: Where it is put.
  mutating func finish(into findings: inout FindingList)
}
