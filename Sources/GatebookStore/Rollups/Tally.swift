public import GatebookEvents

/// The number of events of each kind.
public struct Tally: Hashable, Sendable {
  /// The numbers by kind; a book may hold kinds that only a newer version knows.
  public private(set) var counts: [String: Int64] = [:]

  /// Makes a tally of nothing.
  public init() {}

  /// How many events of a kind there are.
  public subscript(kind: EventKind) -> Int64 { counts[kind.rawValue] ?? 0 }

  /// How many events there are.
  public var events: Int64 { counts.values.reduce(0, Self.sum) }

  /// Logins that succeeded; each began a session.
  public var logins: Int64 { self[.loginSucceeded] }

  /// Logins that failed, without cancelled ones.
  public var failedLogins: Int64 { self[.loginFailed] }

  /// Renewals that succeeded.
  public var renewals: Int64 { self[.refreshSucceeded] }

  /// Renewals that the server rejected, or that failed temporarily.
  public var failedRenewals: Int64 { self[.refreshFailed] + self[.refreshDeferred] }

  /// Requested logouts, one for each session.
  public var logouts: Int64 { self[.logoutRequested] }

  mutating func add(_ count: Int64, of kind: String) {
    counts[kind] = Self.sum(counts[kind] ?? 0, count)
  }

  /// Numbers of a stranger's book may be any: theirs ends at the greatest.
  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (left < 0 ? .min : .max) : sum
  }

  /// Adds the numbers of another tally.
  public mutating func add(_ tally: Tally) {
    counts.merge(tally.counts, uniquingKeysWith: Self.sum)
  }
}
