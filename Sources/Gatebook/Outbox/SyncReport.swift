/// What came of a ``SessionBook/sync(_:)``.
public struct SyncReport: Sendable {
  /// How many messages to servers were delivered: logouts and revocations that had waited.
  public internal(set) var delivered = 0
  /// How many were given up: their servers refuse to hear them, or were not reached for a month, or a
  /// session lives by the tokens now; the log says which (`revocation.failed`, `halted`).
  ///
  /// Tokens that a server does not take back live there until they end.
  public internal(set) var givenUp = 0
  /// How many wait on.
  public internal(set) var waiting = 0
  /// How many another process tells the servers at this moment; what becomes of them the log will say.
  public internal(set) var underWay = 0
  /// When the first of those that wait is tried whose server demanded to be left alone until then: nothing is
  /// sent to it before, also when asked for; `nil` where no server demands that.
  public internal(set) var demandedUntil: Timestamp?
  /// The accounts whose sessions were confirmed or renewed.
  public internal(set) var verified: [AccountID] = []
  /// The accounts whose servers have no page that proves a session: whether it still lives shows with
  /// its next use.
  public internal(set) var unprovable: [AccountID] = []
  /// The accounts whose sessions were not, and why; only a `session.refused`, `token.refused` or
  /// `identity.mismatch` has ended one.
  public internal(set) var failures: [(account: AccountID, error: GatebookError)] = []

  /// Whether nothing waited to be delivered and no session had to be verified.
  public var isEmpty: Bool {
    delivered + givenUp + waiting + underWay == 0 && verified.isEmpty && unprovable.isEmpty
      && failures.isEmpty
  }
}
