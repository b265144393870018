/// The result of ``SessionBook/sync(_:)``.
public struct SyncReport: Sendable {
  /// How many waiting messages were delivered: logouts and revocations.
  public internal(set) var delivered = 0
  /// How many messages were given up: their servers reject them or could not be reached for a
  /// month, or a session uses the tokens now.
  ///
  /// The log says which (`revocation.failed`, `halted`).
  ///
  /// Tokens that a server does not revoke stay valid there until they expire.
  public internal(set) var givenUp = 0
  /// How many are still waiting.
  public internal(set) var waiting = 0
  /// How many another process is delivering now; the log will show the result.
  public internal(set) var underWay = 0
  /// The earliest time at which a waiting message is tried whose server asked to wait: nothing is
  /// sent to that server earlier.
  ///
  /// `nil` if no server asked for that.
  public internal(set) var demandedUntil: Timestamp?
  /// The accounts whose sessions were confirmed or renewed.
  public internal(set) var verified: [AccountID] = []
  /// The accounts whose servers have no page that can confirm a session: the next use shows whether
  /// it is valid.
  public internal(set) var unprovable: [AccountID] = []
  /// The accounts whose sessions were not confirmed, and why; only `session.refused`,
  /// `token.refused` or `identity.mismatch` has ended one.
  public internal(set) var failures: [(account: AccountID, error: GatebookError)] = []

  /// What became of messages to several accounts' servers.
  mutating func add(_ other: SyncReport) {
    delivered += other.delivered
    givenUp += other.givenUp
    waiting += other.waiting
    underWay += other.underWay
  }

  /// Whether nothing waited to be delivered and no session had to be verified.
  public var isEmpty: Bool {
    delivered + givenUp + waiting + underWay == 0 && verified.isEmpty && unprovable.isEmpty
      && failures.isEmpty
  }
}
