public import GatebookEvents

/// The conditions of a query; `nil` conditions do not count.
public struct EventFilter: Sendable {
  /// Only this account's stream.
  public var account: AccountID?
  /// Only this session or login attempt.
  public var session: SessionID?
  /// Only this kind, or with a dot at the end all kinds of a family, such as `login.`.
  public var kind: String?
  /// Only from this moment on.
  public var since: Timestamp?
  /// Only before this moment.
  public var until: Timestamp?
  /// Only what failed: kinds ending in `failed`, refused sessions, deferred renewals, checks
  /// without a word that decides.
  public var failedOnly = false
  /// Only after this position.
  public var after: Position?
  /// Only up to this position.
  package var upTo: Position?
  /// How many at most: with `after` the first ones after that position, else the last ones.
  public var limit: Int?

  /// Makes a filter; without conditions it lets everything through.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream.
  ///   - session: Only this session or login attempt.
  ///   - kind: Only this kind, or with a dot at the end all kinds of a family, such as `login.`.
  ///   - since: Only from this moment on.
  ///   - until: Only before this moment.
  ///   - failedOnly: Only what failed.
  ///   - after: Only after this position.
  ///   - limit: How many at most: with `after` the first ones after that position, else the last
  ///     ones.
  public init(
    account: AccountID? = nil, session: SessionID? = nil, kind: String? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, failedOnly: Bool = false,
    after: Position? = nil, limit: Int? = nil
  ) {
    self.account = account
    self.session = session
    self.kind = kind
    self.since = since
    self.until = until
    self.failedOnly = failedOnly
    self.after = after
    self.limit = limit
  }
}
