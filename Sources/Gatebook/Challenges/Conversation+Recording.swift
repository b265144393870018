internal import GatebookSystem

/// What a conversation's steps look like to a resolver and in the log.
extension Conversation {
  func challenge(
    _ question: Challenge.Question, _ server: Origin, _ failures: Int
  ) -> Challenge {
    Challenge(
      question: question, server: server, isProxy: false,
      account: asker.isNamed ? asker.account : nil,
      session: asker.session,
      previousFailureCount: failures)
  }

  /// Why a challenge got no answer, or none that counted; as `challenge.failed` says it.
  enum Shortfall: String {
    case declined, rejected, refused, undecided, unfit
  }

  /// Ends the round: no challenge stays open in the log.
  func close(
    _ challenge: AskedChallenge, _ reason: Shortfall
  ) async throws(TransportFailure) {
    var failed = ChallengeFailed(inRound(challenge))
    failed.reason = reason.rawValue
    try await record(failed)
  }

  /// Records that a challenge was answered.
  func answered(_ challenge: AskedChallenge) async throws(TransportFailure) {
    try await record(ChallengeAnswered(inRound(challenge)))
  }

  func cancelled(
    _ challenge: AskedChallenge
  ) async throws(TransportFailure) -> TransportFailure {
    try await record(ChallengeCancelled(inRound(challenge)))
    return TransportFailure(
      GatebookError(
        .challengeCancelled, "The challenge was cancelled.", kept: "No session was changed.",
        remedy: "Try again when somebody can answer the challenge."),
      delivery: .maybeSent)
  }

  func record(
    _ facts: some EventFacts, personal: Facts? = nil
  ) async throws(TransportFailure) {
    let append = Append([event(facts, personal: personal)])
    try await settled(.maybeSent) { [host] () throws(GatebookError) in
      try await host.commit(append)
    }
  }

  /// Records in a task of its own: a caller that was cancelled must not leave a challenge open in
  /// the log.
  func settled(
    _ delivery: TransportFailure.Delivery,
    _ body: @escaping @Sendable () async throws(GatebookError) -> Void
  ) async throws(TransportFailure) {
    if case .failure(let error) = await Task(operation: { await Result(of: body) }).value {
      throw TransportFailure(error, delivery: delivery)
    }
  }

  func event(_ facts: some EventFacts, personal: Facts? = nil) -> ProposedEvent {
    ProposedEvent(
      facts, account: asker.account, session: asker.session, cause: asker.cause,
      personal: asker.account == nil ? nil : personal)
  }

  /// The challenge as the one of this round.
  func inRound(_ challenge: AskedChallenge) -> AskedChallenge {
    var challenge = challenge
    challenge.round = round
    return challenge
  }

  /// A realm as the log may hold it: not with what the request carried, which a server can echo.
  static func recordable(_ realm: String?, _ sent: HTTPRequest) -> String? {
    let carried = sent.fields.first("Authorization").map { $0.split(separator: " ") } ?? []
    guard let realm, !carried.dropFirst().contains(where: { realm.contains($0) }) else {
      return nil
    }
    return realm
  }

  /// The scheme of a challenge as the log may hold it.
  func scheme(of challenge: AuthenticationChallenge) -> String {
    sentSecrets.leaks(among: [challenge.plainScheme]).isEmpty
      ? challenge.plainScheme : "other"
  }

  /// A failure as the log and the caller may have it: without a word of the server that only echoes
  /// what it was told in confidence.
  func withholding(_ error: GatebookError) -> GatebookError {
    error.withholding(sentSecrets.leaks(among: error.serversWords))
  }

  static let endless = GatebookError(
    .limitExceeded, "The server kept asking for credentials.",
    kept: "No session was changed.", remedy: "Ask the server's administrator.")
}

extension TrustException {
  /// The decision as an event tells it.
  func decision(
    by whom: String, _ verdict: String, for error: GatebookError? = nil
  ) -> TrustDecided {
    var decided = TrustDecided(by: whom, verdict, host: host, port: Int64(port))
    decided.key = key.description
    decided.defects = defects.sorted.map(\.rawValue)
    let failure = Failure(error)
    (decided.code, decided.fault) = (failure.code, failure.fault)
    return decided
  }
}

extension HTTPAuthorizer.Verdict {
  /// Whether the server did not take what was sent.
  var isRefused: Bool { if case .refused = self { true } else { false } }
}
