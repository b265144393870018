public import Gatebook

/// Which events of a fleet a question is about; `nil` and empty conditions do not count.
public struct FleetLogFilter: Hashable, Sendable {
  /// Only these kinds, or with a dot at the end all kinds of a family, such as `login.`.
  public var kinds: [String]
  /// Only what failed, as in `EventFilter`.
  public var failedOnly: Bool
  /// Only from this moment on.
  public var since: Timestamp?
  /// Only before this moment.
  public var until: Timestamp?
  /// Only after this position of the one history that the question is about.
  public var after: Position?
  /// How many at most: with `after` the first ones after that position, else the last ones.
  public var limit: Int?

  /// Makes a filter; without conditions it lets everything through.
  ///
  /// - Parameters:
  ///   - kinds: Only these kinds or families.
  ///   - failedOnly: Only what failed.
  ///   - since: Only from this moment on.
  ///   - until: Only before this moment.
  ///   - after: Only after this position.
  ///   - limit: How many at most.
  public init(
    kinds: [String] = [], failedOnly: Bool = false, since: Timestamp? = nil,
    until: Timestamp? = nil, after: Position? = nil, limit: Int? = nil
  ) {
    self.kinds = kinds
    self.failedOnly = failedOnly
    self.since = since
    self.until = until
    self.after = after
    self.limit = limit
  }

  /// Whether a kind is among those that are wanted.
  func wants(_ kind: String) -> Bool {
    let isChosen =
      kinds.isEmpty || kinds.contains { $0.hasSuffix(".") ? kind.hasPrefix($0) : kind == $0 }
    return isChosen && (!failedOnly || kind.hasSuffix(".failed") || Self.failures.contains(kind))
  }

  /// Whether it leaves out some kinds.
  var choosesKinds: Bool { !kinds.isEmpty || failedOnly }

  /// The kinds that a report marks as failures.
  private static let failures = Set(
    EventKind.allCases.filter { $0.traits.mark == .failure }.map(\.rawValue))
}
