public import Gatebook

/// Which findings of a fleet a question is about.
public struct FleetFindingFilter: Hashable, Sendable {
  /// Only what happened from this moment on, plus findings about the present; `nil` for all.
  public var since: Timestamp?
  /// Only what happened before this moment; `nil` for all.
  ///
  /// For a moment in the past, findings about the present are left out.
  public var until: Timestamp?
  /// How long a book must not be heard to count as silent.
  public var silentAfter: Duration

  /// Makes a filter.
  ///
  /// - Parameters:
  ///   - since: Only from this moment on.
  ///   - until: Only before this moment.
  ///   - silentAfter: How long a book is silent.
  public init(
    since: Timestamp? = nil, until: Timestamp? = nil, silentAfter: Duration = .seconds(7 * 86_400)
  ) {
    self.since = since
    self.until = until
    self.silentAfter = silentAfter
  }

  /// Whether a moment belongs to it.
  func contains(_ moment: Timestamp) -> Bool {
    since.map { moment >= $0 } != false && until.map { moment < $0 } != false
  }

  /// Whether findings about the present belong to it.
  func tellsNow(_ now: Timestamp) -> Bool { until.map { $0 > now } != false }
}
