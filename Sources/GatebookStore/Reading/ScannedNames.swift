internal import GatebookEvents

/// What the numbers in the log's rows stand for, as far as a scan has met them.
///
/// They never change, so frequent scans keep it.
struct ScannedNames {
  var kinds: RecentNames<EventKind?>
  var accounts: RecentNames<AccountID>
  var sessions: RecentNames<SessionID>

  /// Room for the names of the whole log.
  static let ofLog = 4096
  /// Room for those of one stream, which are few: to make room for thousands costs more than to
  /// read a hundred events.
  static let ofStream = 64

  /// Makes one that has met nothing.
  init(room: Int) {
    kinds = RecentNames(room)
    accounts = RecentNames(room)
    sessions = RecentNames(room)
  }
}
