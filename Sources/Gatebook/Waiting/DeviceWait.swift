/// A login whose code the person enters on another device, as the vault keeps it under the
/// attempt's own key.
struct DeviceWait: Sendable {
  var attempt: LoginAttempt
  let method: String
  let code: DeviceCode
  let deadline: Timestamp
  var options: LoginOptions
  /// What the method's machine needs to continue.
  var machine: Facts

  /// The facts of the challenge that a code is to the person.
  static let challenge = AskedChallenge(scheme: "device", round: 1)

  /// The challenge in the success of its login, which tells that it was answered.
  static let answered = AuthenticatorRun.Challenge(
    round: 1, scheme: "device", realm: nil, isAnswered: true, isRecorded: true)

  static let timedOut = GatebookError(
    .challengeTimedOut, "The code was not entered in time.", kept: "No session was changed.",
    remedy: "Log in again.")

  /// That the server wants to be asked less often from now on.
  func slowed(to interval: Duration) -> ProposedEvent {
    var received = ChallengeReceived(Self.challenge)
    received.interval = interval
    return attempt.event(received)
  }

  /// How it ends without a session.
  func closing(_ error: GatebookError) -> [ProposedEvent] {
    guard error.code != .cancelled, error.code != .challengeCancelled else {
      return [attempt.event(ChallengeCancelled(Self.challenge)), attempt.failed(error)]
    }
    var failed = ChallengeFailed(Self.challenge)
    // That nobody entered the code, or the server did not take it, needs no other word.
    if ![.challengeTimedOut, .codeRefused].contains(error.code) {
      failed.failure = Failure(error)
      // The event of the login says it.
      failed.failure.error = nil
    }
    return [attempt.event(failed), attempt.failed(error)]
  }

  /// What the app may know of it, with the life that the code has yet.
  func login(at now: Timestamp) -> DeviceLogin {
    let code = DeviceCode(
      userCode: code.userCode, page: code.page, completePage: code.completePage,
      lifetime: max(.zero, deadline - now))
    return DeviceLogin(
      id: attempt.session, code: code, deadline: deadline, method: method,
      server: attempt.typed.server, savesCredentials: options.saveCredentials,
      label: options.label)
  }
}

extension DeviceWait {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(_ kept: Attempt) {
    guard let record = Facts(decoding: kept.content),
      var attempt = record["attempt"]?.object.flatMap({
        LoginAttempt(session: kept.session, record: $0)
      }),
      let method = record["method"]?.text, let userCode = record["userCode"]?.text,
      let page = record["page"]?.text.flatMap({ HTTPURL($0) }),
      let options = record["options"]?.object.flatMap({ LoginOptions(record: $0) }),
      let machine = record["machine"]?.object
    else { return nil }
    attempt.required = options.account
    let complete = record["completePage"]?.text.flatMap { HTTPURL($0) }
    self.init(
      attempt: attempt, method: method,
      code: DeviceCode(
        userCode: userCode, page: page, completePage: complete, lifetime: .zero),
      deadline: kept.deadline, options: options, machine: machine)
  }

  var record: Facts {
    [
      "attempt": .object(attempt.record), "completePage": .optional(code.completePage?.description),
      "machine": .object(machine), "method": .text(method), "options": .object(options.record),
      "page": .text(code.page.description), "userCode": .text(code.userCode),
    ]
  }
}
