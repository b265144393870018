/// What a conversation needs of its book: it may run elsewhere, and the book is another actor then.
protocol ConversationHost: Actor {
  nonisolated var effects: Effects { get }
  var challenges: Challenges { get }
}

extension ConversationHost {
  func decide(_ challenge: Challenge) async throws(GatebookError) -> ChallengeDecision? {
    try await challenges.decide(challenge)
  }

  func hasResolver(for server: Origin) -> Bool { challenges.hasResolver(for: server) }

  func trustsNone(of keys: Set<KeyHash>) -> Bool { challenges.trustsNone(of: keys) }

  func accept(
    _ exception: TrustException, of account: AccountID, _ event: ProposedEvent
  ) async throws(GatebookError) {
    try await challenges.accept(exception, of: account, event)
  }

  @discardableResult
  func commit(_ append: Append) async throws(GatebookError) -> Receipt {
    try await challenges.ledger.commit(append)
  }

  func heardFrom(_ server: Origin) { challenges.ledger.heardFrom(server) }

  func pass(
    _ line: PublishedDocuments.Line, _ recall: Recall, within limit: Duration
  ) async throws(TransportFailure) -> Documents.DocumentPassage {
    try await challenges.documents.pass(line, recall, within: limit)
  }

  func end(
    _ line: PublishedDocuments.Line, _ asked: Timestamp, with reply: HTTPReply?, isSent: Bool
  ) async {
    await challenges.documents.end(line, asked, with: reply, isSent: isSent)
  }
}
