extension SessionBook {
  /// Reads the book beside this one, with the same key.
  ///
  /// - Returns: A reader.
  /// - Throws: `storage` failures, also where the book cannot be written.
  package func makeReader() throws(GatebookError) -> sending BookReader {
    try ledger.store.get().makeReader()
  }

  /// The clock that the book was opened with.
  package nonisolated var clock: any BookClock { effects.clock }

  /// How many things are still to be said to servers.
  package func waitingDeliveries() throws(GatebookError) -> Int {
    var count = 0
    for context in try ledger.reader.accounts() {
      count += try ledger.reader.state(of: context.account)?.outbox.count ?? 0
    }
    return count
  }

  /// Records that an agent did nothing for a program.
  package func recordAgentRefusal(_ refused: AgentRefused) async {
    var refused = refused
    refused.program = refused.program.flatMap { .plain($0) }
    await recordAgent(refused)
  }

  /// Records something about an agent that has this book open; what it tells of is worth more than
  /// its record.
  ///
  /// - Parameter facts: What happened.
  /// - Returns: Whether it was recorded.
  @discardableResult
  package func recordAgent(_ facts: some EventFacts) async -> Bool {
    var append = Append([ProposedEvent(facts)])
    append.mayBeGivenUp = true
    return (try? await ledger.commit(append)) != nil
  }
}
