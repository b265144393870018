extension SessionBook {
  /// How many things are still to be said to servers about sessions of an account that ended here.
  package func waitingDeliveries(of account: AccountID) throws(GatebookError) -> Int {
    try reader.state(of: account)?.outbox.count ?? 0
  }
}
