extension Requests {
  /// Records that other programs can send requests as an account.
  ///
  /// - Throws: `session.refused` without a session, and storage failures.
  func recordProxy(
    _ started: ProxyStarted, _ personal: ProxyStarted.Personal, of account: AccountID
  ) async throws(GatebookError) {
    let session = try await renewals.requireSession(of: account, mayLogIn: false)
    try await ledger.update(session) { current in
      let facts = personal.facts
      return Append([current.event(started, personal: facts.isEmpty ? nil : facts)])
    }
  }

  /// Records that a proxy did not forward a request; the refusal is worth more than its record.
  func recordRefusal(_ refused: ProxyRefused, of account: AccountID) async {
    guard let session = try? ledger.openSession(of: account) else { return }
    var refused = refused
    refused.program = refused.program.flatMap { .plain($0) }
    try? await ledger.update(session) { [refused] current in
      var append = Append([current.event(refused)])
      append.mayBeGivenUp = true
      return append
    }
  }
}
