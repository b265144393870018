extension SessionBook {
  /// How many things are still to be said to servers about sessions of an account that ended here.
  package func waitingDeliveries(of account: AccountID) throws(GatebookError) -> Int {
    try outbox.waitingDeliveries(of: account)
  }

  /// What came of telling the server of the account's last logout, as the event has it: `done`,
  /// `queued`, `givenUp` (it refuses to hear of it), `unread` (nobody knows what to tell), `none`
  /// (there was nothing to tell); `nil` where no logout was told.
  package func lastFarewell(of account: AccountID) throws(GatebookError) -> String? {
    try outbox.lastFarewell(of: account)
  }

  /// Tries each due message once within a time limit, for programs that end after their work.
  ///
  /// - Parameter limit: The time limit; undelivered messages keep waiting.
  public func deliverOutbox(within limit: Duration) async {
    await outbox.deliverOutbox(within: limit)
  }
}
