/// The events of a flow.
extension ProposedEvent {
  /// A challenge that came.
  ///
  /// - Parameters:
  ///   - challenge: The challenge.
  ///   - handler: Which registration of a handler is called, from 1.
  ///   - message: The server's words without anything that was answered.
  init(received challenge: SecurityCheckChallenge, handler: Int64?, message: String) {
    var received = ChallengeReceived(challenge.asked)
    received.handler = handler
    received.remaining = challenge.remainingAttempts
    self.init(received, personal: message.isEmpty ? nil : Self.personal(message))
  }

  /// A challenge that was answered.
  ///
  /// - Parameters:
  ///   - challenge: The challenge.
  ///   - fields: The names of the fields of the answer; never its values.
  ///   - name: The fingerprint of the name in the answer, where no account is known.
  init(answered challenge: SecurityCheckChallenge, fields: [String], name: String?) {
    var answered = ChallengeAnswered(challenge.asked)
    answered.end.fields = fields.filter(GatebookError.isPlainName)
    answered.end.name = name
    answered.end.remaining = challenge.remainingAttempts
    self.init(answered)
  }

  /// A challenge that was cancelled.
  init(cancelled challenge: SecurityCheckChallenge) {
    var cancelled = ChallengeCancelled(challenge.asked)
    cancelled.end.remaining = challenge.remainingAttempts
    self.init(cancelled)
  }

  /// A challenge that failed, and why.
  init(failed challenge: SecurityCheckChallenge, _ error: GatebookError) {
    var failed = ChallengeFailed(challenge.asked)
    failed.end.remaining = challenge.remainingAttempts
    failed.failure = Failure(error)
    (failed.failure.error, failed.failure.status) = (nil, nil)
    self.init(failed)
  }

  private static func personal(_ message: String) -> Facts {
    ChallengeFailed.Personal(message: message.cut(to: 256)).facts
  }

  /// A check that has succeeded.
  init(_ success: SecurityCheckSuccess) {
    var succeeded = CheckSucceeded(flow: success.flow, isRemembered: success.wasRemembered)
    succeeded.check = .plain(success.check)
    self.init(
      succeeded,
      personal: success.user.map { user in
        CheckSucceeded.Personal(user: user.displayName.cut(to: 256), userID: user.id.cut(to: 256))
          .facts
      })
  }

  /// A check that refuses; the server's reason is without anything that was answered.
  init(_ failure: SecurityCheckFailure, reason: String) {
    var failed = ChallengeFailed(AskedChallenge(scheme: MobileFirstApp.method))
    failed.challenge.check = .plain(failure.check)
    failed.challenge.flow = failure.flow
    failed.failure.code = .challengeBlocked
    self.init(failed, personal: Self.personal(reason))
  }

  /// A token that the server granted.
  init(_ token: AccessToken) {
    var granted = TokenGranted(flow: token.flow, lifetime: token.lifetime)
    granted.scope = .plainScope(token.scope)
    self.init(granted)
  }

  /// Tokens that are forgotten: one scope's, or all of them.
  init(clearing scope: String?, cause: String) {
    var cleared = TokenCleared(reason: cause)
    cleared.scope = scope.flatMap { .plainScope($0) }
    self.init(cleared)
  }

  /// A registration that was made, or took the place of another one.
  init(_ registration: ClientRegistration, replacing former: String?) {
    let client = String.plain(registration.clientID)
    guard let former else {
      var created = RegistrationCreated(key: registration.thumbprint)
      created.client.id = client
      self.init(created)
      return
    }
    var replaced = RegistrationReplaced(key: registration.thumbprint)
    replaced.client.id = client
    replaced.client.former = .plain(former)
    self.init(replaced)
  }

  /// A client that the server does not know (any more).
  init(rejected clientID: String) {
    var rejected = RegistrationRejected()
    rejected.client = .plain(clientID)
    self.init(rejected)
  }

  /// The facts that hold names which a server can have chosen.
  private static let namedFacts = ["check", "client", "former", "scope"]

  /// The names in it that a server can have chosen.
  var names: [String] {
    Self.namedFacts.compactMap { data[$0]?.text }.flatMap {
      $0.split(separator: " ").map(String.init)
    }
  }

  /// The event without the facts in which one of these names is.
  func withoutNames(_ leaks: Set<String>) -> ProposedEvent {
    guard !leaks.isEmpty else { return self }
    var event = self
    for fact in Self.namedFacts {
      let names = (data[fact]?.text ?? "").split(separator: " ").map(String.init)
      if !leaks.isDisjoint(with: names) { event.data[fact] = nil }
    }
    return event
  }
}

extension SecurityCheckChallenge {
  /// The challenge as its events name it.
  fileprivate var asked: AskedChallenge {
    var asked = AskedChallenge(scheme: MobileFirstApp.method, round: round)
    asked.check = .plain(check)
    asked.flow = flow
    return asked
  }
}
