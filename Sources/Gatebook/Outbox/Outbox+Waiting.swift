extension Outbox {
  /// How many things are still to be said to servers about sessions of an account that ended here.
  func waitingDeliveries(of account: AccountID) throws(GatebookError) -> Int {
    try ledger.reader.state(of: account)?.outbox.count ?? 0
  }

  /// What came of telling the server of the account's last logout, as the event has it: `done`,
  /// `queued`, `givenUp` (it refuses to hear of it), `unread` (nobody knows what to tell), `none`
  /// (there was nothing to tell); `nil` where no logout was told.
  func lastFarewell(of account: AccountID) throws(GatebookError) -> String? {
    try ledger.last(.logoutCompleted, of: account)?.facts(of: LogoutCompleted.self)?.server
  }
}
