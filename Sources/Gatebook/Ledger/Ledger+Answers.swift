extension Ledger {
  /// Notes that a server has answered: the way to it is open.
  func heardFrom(_ server: Origin) { answers[server] = clock.now() }

  func hasAnswered(_ server: Origin, since lost: Timestamp) -> Bool {
    answers[server].map { $0.wall > lost } ?? false
  }
}
