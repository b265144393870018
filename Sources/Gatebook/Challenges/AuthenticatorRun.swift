/// Drives one authenticator through a conversation, and notes the challenges it meets.
struct AuthenticatorRun {
  var conversation: Conversation
  /// Whether the login is still wanted, asked after each wait; somebody may have ended it
  /// meanwhile.
  let isWanted: (() async -> Bool)?
  /// Keeps a machine that from now on waits for another time between two questions.
  let keep: ((any RedirectAuthenticator) async -> Void)?
  /// That time, as it is kept.
  private var interval: Duration?
  /// When the last request was sent.
  private var sent: Moment?
  /// How far the clocks of those that answered are from ours.
  private var clocks: [Origin: ServerClock] = [:]
  /// What happened last.
  private var happening = Input.Happening.start
  /// Whether the last request may have used something up.
  private var isSpending = false
  /// Whether any request that counts at the server has left this machine.
  private var hasSpent = false
  /// No login takes more requests: a server must not keep us going round for ever.
  ///
  /// What the machine waits for does not count: it has a limit of its own.
  static let maximumSteps = 40

  /// A challenge that came up, for the log.
  struct Challenge: Sendable {
    var round: Int64
    var scheme: String
    var realm: String?
    var isAnswered: Bool
    /// Whether it is in the log already: a resolver was asked about it.
    var isRecorded: Bool
  }

  init(
    conversation: Conversation, isWanted: (() async -> Bool)?,
    keep: ((any RedirectAuthenticator) async -> Void)?
  ) {
    self.conversation = conversation
    self.isWanted = isWanted
    self.keep = keep
  }

  private var effects: Effects { conversation.host.effects }
  private var clock: any BookClock { effects.clock }

  /// Where a machine stops.
  enum Stop: Sendable {
    case finished(Outcome)
    /// The person's turn: a page, and the machine that waits for its redirect.
    case opened(HTTPURL, AwaitedRedirect, any RedirectAuthenticator)
    /// The person's turn: a code, and the machine that asks whether it was entered.
    case shown(DeviceCode, any RedirectAuthenticator)
  }

  /// What a run ended with; challenges hear of failures too.
  struct Ending: Sendable {
    var result: Result<Stop, GatebookError>
    var challenges: [Challenge]
    /// What was accepted and given on the way.
    var conversation: Conversation
    /// The last answer; `nil` where the last request has none.
    var reply: HTTPReply?
    /// Whether the server may have acted on a request whose answer never came.
    var isUnanswered: Bool
    /// Whether any request that counts at the server, such as one with a password, has left this
    /// machine.
    var hasSpent: Bool
    /// What the server has granted, and nobody will use after a failure.
    var unclaimed: (any SessionProof)?

    /// The outcome of what nobody is there for: renewals and proofs.
    var outcome: Result<Outcome, GatebookError> {
      result.flatMap { stop in
        switch stop {
        case .finished(let outcome): .success(outcome)
        case .opened, .shown:
          .failure(
            GatebookError(
              .challengeUnhandled,
              "The login method needs an answer from the user, which is not possible here.",
              kept: "The session is kept.", remedy: "Log in again."))
        }
      }
    }
  }

  mutating func run(
    _ authenticator: any Authenticator, from first: Input.Happening = .start
  ) async -> Ending {
    var machine = authenticator
    happening = first
    interval = (machine as? any RedirectAuthenticator)?.interval
    var challenges: [Challenge] = []
    do throws(GatebookError) {
      var steps = 0
      while steps < Self.maximumSteps {
        steps += 1
        let input = Input(
          happening, at: clock.now(), random: effects.random.bytes(64), suffixes: effects.suffixes)
        switch try machine.next(input) {
        case .finish(let outcome):
          return ending(.success(.finished(dated(outcome))), Self.met(challenges))
        case .open(let url, let redirect):
          guard let waiting = machine as? any RedirectAuthenticator else { throw Self.forgetful }
          return ending(.success(.opened(url, redirect, waiting)), Self.met(challenges))
        case .send(let request):
          if Task.isCancelled { throw GatebookError.cancelledByCaller }
          if request.fields.first("Authorization") != nil, let last = challenges.indices.last {
            challenges[last].isAnswered = true
          }
          let asked = conversation.asked
          isSpending = !request.isRepeatable
          happening = await exchange(request)
          if isSpending, !Self.isUnsent(happening) { hasSpent = true }
          if case .failure(let failure) = happening, Self.isFinal(failure.error.code) {
            throw failure.error
          }
          note(happening, isRecorded: conversation.asked > asked, in: &challenges)
        case .show(let code):
          guard let waiting = machine as? any RedirectAuthenticator else { throw Self.forgetful }
          return ending(.success(.shown(code, waiting)), Self.met(challenges))
        case .wait(let duration):
          await keepInterval(of: machine)
          await clock.sleep(for: duration)
          if let isWanted, await !isWanted() { throw GatebookError.cancelledByCaller }
          // Who waits ends by the life of the code that it waits for; between two waits a question
          // may have to be asked again with a nonce.
          steps = 0
          happening = .proceed
        }
      }
      throw GatebookError(
        .limitExceeded, "The login needed more than \(Self.maximumSteps) requests.",
        remedy: "Check the server's settings: the login may run in a loop.")
    } catch {
      var ending = ending(.failure(error), challenges)
      ending.unclaimed = machine.unclaimed
      return ending
    }
  }

  /// Has a machine kept that was told to ask less often: after a restart it is to hold to that.
  private mutating func keepInterval(of machine: any Authenticator) async {
    guard let keep, let waiting = machine as? any RedirectAuthenticator,
      let now = waiting.interval, now != interval
    else { return }
    interval = now
    await keep(waiting)
  }

  private static func isUnsent(_ happening: Input.Happening) -> Bool {
    if case .failure(let failure) = happening { failure.delivery == .notSent } else { false }
  }

  private func ending(
    _ result: Result<Stop, GatebookError>, _ challenges: [Challenge]
  ) -> Ending {
    var ending = Ending(
      result: result, challenges: challenges, conversation: conversation, isUnanswered: false,
      hasSpent: hasSpent)
    ending.result = ending.result.mapError { conversation.withholding($0) }
    switch happening {
    case .reply(let reply):
      ending.reply = reply
      ending.result = ending.result.mapError { $0.demanded(by: reply, at: clock.now().wall) }
      ending.isUnanswered = isSpending && reply.isCut
    // Who decides about challenges was asked because of an answer.
    case .failure(let failure):
      ending.isUnanswered =
        isSpending && failure.delivery == .maybeSent && !Self.isFinal(failure.error.code)
    case .start, .redirect, .proceed: break
    }
    return ending
  }

  /// What a machine is not asked about, and nobody tries again: the caller or the app has decided.
  static func isFinal(_ code: FailureCode) -> Bool {
    [.cancelled, .challengeCancelled, .challengeTimedOut].contains(code)
  }

  /// The outcome with what the run knows of the time: a life counts from the request that brought
  /// it.
  private func dated(_ outcome: Outcome) -> Outcome {
    var outcome = outcome
    outcome.sent = outcome.sent ?? sent
    outcome.leaks = conversation.sentSecrets.leaks(among: outcome.chosenNames)
    outcome.offset = outcome.proof.serverOffset ?? clocks[outcome.proof.origin]?.offset
    return outcome
  }

  private mutating func exchange(_ request: HTTPRequest) async -> Input.Happening {
    let sent = clock.now()
    self.sent = sent
    do throws(TransportFailure) {
      let reply = try await conversation.send(request).reply
      clocks[request.url.origin, default: ServerClock()].observe(
        reply, from: sent, to: clock.now())
      return .reply(reply)
    } catch {
      return .failure(error)
    }
  }

  /// The challenges that somebody has answered or was asked about: a refusal of the check URL to a
  /// stranger is what a login hopes for, and no question to it.
  private static func met(_ challenges: [Challenge]) -> [Challenge] {
    challenges.filter { $0.isAnswered || $0.isRecorded }
  }

  private func note(
    _ happening: Input.Happening, isRecorded: Bool, in challenges: inout [Challenge]
  ) {
    guard case .reply(let reply) = happening, reply.status == 401,
      let offered = reply.challenges.first
    else { return }
    challenges.append(
      Challenge(
        round: Int64(challenges.count + 1), scheme: conversation.scheme(of: offered),
        realm: offered.realm,
        isAnswered: false, isRecorded: isRecorded))
  }

  static let forgetful = GatebookError(
    .configurationInvalid,
    "The login method needs an answer from the user, but its authenticator cannot wait for one.",
    kept: "Nothing was changed.", remedy: "Use a login method of Gatebook.")
}
