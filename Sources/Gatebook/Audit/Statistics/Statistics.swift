/// The head figures of a book, or of one account in it.
///
/// They come from counters, need no key and hold nothing personal.
public struct Statistics: Hashable, Sendable {
  /// How many events of each kind there are, and from that logins, renewals and failures.
  public let tally: Tally
  /// How many accounts were counted; those that were erased, too.
  public let accounts: Int
  /// How many of them have a session that can be used now.
  public let openSessions: Int
  /// When the first event was; `nil` where there is none.
  public let first: Timestamp?
  /// When the last event was.
  public let last: Timestamp?
  /// How much space the book takes, its write-ahead log included; of all accounts and all days.
  public let bytes: Int64
  /// How many events the whole book has; those in an archive are not in it.
  public let bookEvents: Int64

  /// How much space one event takes, all that belongs to it counted in.
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
