internal import GatebookStore

/// What is known of a history after one of its events: another history that leaves it there
/// continues from this.
struct HistoryState {
  /// The tree over the events; `nil` where it cannot be known.
  var tree: ShippedTree?
  /// The last number of each account's events.
  var streams = StreamOrder()
  /// The public key that the book's first event names.
  var key: [UInt8]?
  /// What the events say of accounts and sessions; `nil` where nobody asked, or where it cannot be
  /// known.
  var fold: ShippedFold?
  /// The first event that came without its encrypted facts; `nil` for none.
  var firstWithheld: Int64?
}
