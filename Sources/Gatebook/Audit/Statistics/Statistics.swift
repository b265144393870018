/// The totals of a book, or of one of its accounts.
///
/// They come from counters, need no key and contain no personal data.
public struct Statistics: Hashable, Sendable {
  /// The number of events of each kind, and the logins, renewals and failures among them.
  public let tally: Tally
  /// The number of accounts, including erased ones.
  public let accounts: Int
  /// How many of them have a usable session now.
  public let openSessions: Int
  /// The time of the first event; `nil` if there is none.
  public let first: Timestamp?
  /// The time of the last event.
  public let last: Timestamp?
  /// The size of the book including its write-ahead log, for all accounts and days.
  public let bytes: Int64
  /// The number of events in the whole book, without those in an archive.
  public let bookEvents: Int64

  /// The average size of an event, including everything that belongs to it.
  public var bytesPerEvent: Int64 { bookEvents == 0 ? 0 : bytes / bookEvents }

  package init(
    tally: Tally, accounts: Int, openSessions: Int, first: Timestamp?, last: Timestamp?,
    bytes: Int64, bookEvents: Int64
  ) {
    self.tally = tally
    self.accounts = accounts
    self.openSessions = openSessions
    self.first = first
    self.last = last
    self.bytes = bytes
    self.bookEvents = bookEvents
  }
}
