extension SessionBook {
  /// How many things are still to be said to servers about sessions of an account that ended here.
  package func waitingDeliveries(of account: AccountID) throws(GatebookError) -> Int {
    try reader.state(of: account)?.outbox.count ?? 0
  }

  /// Whether the account's last logout had nothing to tell its server.
  package func toldNobody(of account: AccountID) throws(GatebookError) -> Bool {
    var filter = EventFilter()
    filter.account = account
    filter.kind = EventKind.logoutCompleted.rawValue
    filter.limit = 1
    return try reader.events(filter).last?.data["server"]?.text == "none"
  }
}
