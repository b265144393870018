public import Gatebook

/// The totals of a fleet, or of some of its books.
///
/// They come from counters, need no key and contain no personal data.
public struct FleetStatistics: Hashable, Sendable {
  /// The number of events of each kind, and the logins, renewals and failures among them.
  public let tally: Tally
  /// The number of books.
  public let books: Int
  /// The number of accounts, including erased ones.
  public let accounts: Int64
  /// How many of them have a usable session now, as far as the fleet has heard.
  public let openSessions: Int64
  /// The time of the first event; `nil` if there is none.
  public let first: Timestamp?
  /// The time of the last event.
  public let last: Timestamp?
}
