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

  /// Adds events of a kind.
  package mutating func add(_ count: Int64, of kind: String) {
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

/// A day of the calendar in UTC.
public struct Day: RawRepresentable, Hashable, Comparable, Sendable {
  /// How many days after 1970-01-01 it is.
  public let rawValue: Int64

  /// Makes a day from the number of days since 1970-01-01.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The day that a moment belongs to.
  public init(of moment: Timestamp) {
    let (quotient, remainder) = moment.rawValue.quotientAndRemainder(dividingBy: Self.length)
    rawValue = remainder < 0 ? quotient - 1 : quotient
  }

  /// How long it is, in microseconds.
  static let length: Int64 = 86_400_000_000

  /// Its first moment.
  public var start: Timestamp {
    let (product, overflow) = rawValue.multipliedReportingOverflow(by: Self.length)
    guard overflow else { return Timestamp(rawValue: product) }
    return Timestamp(rawValue: rawValue < 0 ? .min : .max)
  }

  /// Whether the left day is before the right one.
  public static func < (left: Day, right: Day) -> Bool { left.rawValue < right.rawValue }
}
