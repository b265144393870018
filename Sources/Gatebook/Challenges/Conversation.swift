/// Sends the requests of one login, renewal, proof or call, and has challenges on their way
/// decided.
///
/// Each step of a challenge is an event as it happens: a process that dies while a person is asked
/// leaves an open challenge in the log.
struct Conversation: Sendable {
  /// Whose requests they are, and where their events belong.
  struct Asker: Sendable {
    let account: AccountID?
    /// The session or login attempt; `nil` for a request that belongs to neither.
    let session: SessionID?
    let cause: ProposedEvent.Cause
    /// Whether a decision is kept with its event: the account exists whatever comes of this.
    ///
    /// In a login it is kept with the login's success.
    let keepsDecisions: Bool
    /// Whether the account is that of the named user: no resolver learns of another one.
    var isNamed = true
  }

  /// A credential on its way to the server.
  private struct Offer: Sendable {
    let index: Int?
    let given: GivenCredential
    let persistence: ChallengeCredential.Persistence
    let challenge: AskedChallenge
  }

  let host: any ConversationHost
  let asker: Asker
  let held: HeldCredentials
  /// Whether a given password may go by Basic to another machine without TLS.
  let allowsCleartext: Bool
  /// Where cleartext was permitted to go: a proxy without TLS gets a password only if it is there.
  var cleartextOrigins: Set<Origin> = []
  /// Whether no resolver is asked: what is known must do.
  var asksNobody = false
  /// Grows with each certificate that was accepted.
  var route: Route
  /// What was accepted on the way and is not kept yet.
  var accepted: [TrustException] = []
  /// What was given on the way, to be kept.
  var given: [GivenCredential] = []
  /// What was given to a proxy and waits for its word on it.
  var proxyOffer: ProxyOffer?
  /// How many of the credentials given to proxies were refused.
  var proxyFailures = 0
  /// What a proxy was given for this conversation alone.
  var proxyOnce: ProxyCredential?
  /// Which of the held credentials were given for this conversation alone.
  private(set) var once: [Int] = []
  /// A given credential that waits for the server's answer.
  private var offered: Offer?
  /// What was refused so far; who sends one request in several conversations hands it on.
  var refusals = Refusals()
  /// How many challenges were put to a resolver.
  private(set) var asked = 0
  /// The secrets that were used so far; they are passed on to a conversation that continues this
  /// one.
  var sentSecrets = SentSecrets()
  private(set) var round: Int64 = 0
  /// No server keeps a request going round.
  private static let maximumAttempts = 12
  /// Whether the method answers credential challenges itself: a stranger's knowledge must not prove
  /// its login.
  var isAnsweredByMethod = false

  init(
    _ host: any ConversationHost, _ asker: Asker, held: HeldCredentials, route: Route,
    allowsCleartext: Bool
  ) {
    self.host = host
    self.asker = asker
    self.held = held
    self.route = route
    self.allowsCleartext = allowsCleartext
  }

  /// Continues with what an earlier conversation of the same caller has accepted.
  mutating func resume(accepting accepted: [TrustException]) {
    self.accepted = accepted
    follow(route)
  }

  /// Forgets what was given for this conversation alone, even if the server never answered it.
  func forgetOnce() {
    held.forget(once)
    if let offered, offered.persistence == .none, let index = offered.index {
      held.forget([index])
    }
  }

  /// Continues on another route, with what was accepted on the way and without one-time credentials
  /// for a proxy.
  mutating func follow(_ route: Route) {
    proxyOnce = nil
    if proxyOffer?.persistence == ChallengeCredential.Persistence.none { proxyOffer = nil }
    self.route = Route(pool: route.pool, trust: route.trust.accepting(accepted))
  }

  /// Sends a request; challenges are answered on the way.
  ///
  /// - Throws: The transport's failure, `challenge.cancelled`, `challenge.timedOut`, or
  ///   `content.unexpected` for a reply that does not know the password.
  mutating func send(
    _ request: HTTPRequest
  ) async throws(TransportFailure) -> Exchanged {
    guard let recall = request.recall else { return try await exchange(request) }
    let line = PublishedDocuments.Line(url: request.url, trust: route.trust)
    let asked: Timestamp
    switch try await host.pass(line, recall, within: request.limits.total) {
    case .recalled(let reply): return Exchanged(sent: request, reply: reply, verdict: nil)
    case .go(let moment): asked = moment
    }
    do throws(TransportFailure) {
      let exchanged = try await exchange(request)
      await host.end(
        line, asked, with: isForAll(exchanged, line) ? exchanged.reply : nil, isSent: true)
      return exchanged
    } catch {
      await host.end(line, asked, with: nil, isSent: error.delivery != .notSent)
      throw error
    }
  }

  /// Whether an answer is the same for everybody who trusts the same servers.
  ///
  /// What a credential opened, or a certificate that was accepted on the way, is for its account
  /// alone.
  private func isForAll(_ exchanged: Exchanged, _ line: PublishedDocuments.Line) -> Bool {
    exchanged.sent.fields.first("Authorization") == nil && route.trust == line.trust
  }

  private mutating func exchange(
    _ request: HTTPRequest
  ) async throws(TransportFailure) -> Exchanged {
    // A request has one `Authorization`: what its method wrote is not replaced by another's.
    let isTaken =
      isAnsweredByMethod
      || (!held.hasOwn && request.fields.first("Authorization") != nil)
    var request = request
    let isSigned = held.signsBody(of: request)
    if isSigned || !host.effects.transport.isStreaming {
      request = try await inMemory(request, .notSent)
    }
    var sent = begin(request, isTaken)
    if request.source?.canRewind == false, !isTaken, held.isAsked(sent) {
      request = try await inMemory(request, .notSent)
      sent = begin(request, isTaken)
    }
    var tried: Set<Int> = []
    for _ in 0..<Self.maximumAttempts {
      let reply: HTTPReply
      do throws(TransportFailure) {
        route.proxyCredential = proxyCredential
        route.allowsCleartext =
          allowsCleartext || cleartextOrigins.contains(request.url.origin)
        reply = try await host.effects.transport.send(sent.attempt.request, through: route)
        await host.heardFrom(request.url.origin)
        sentSecrets.note(sent.attempt.request, reply)
        passProxy()
      } catch {
        if let demand = error.proxy {
          try await consider(demand, error)
        } else {
          try await consider(error, request.url.origin)
        }
        // The certificate was accepted, or the proxy gets its answer: nothing was sent yet.
        sent = begin(request, isTaken)
        continue
      }
      if !sent.attempt.isAnswer, request.canBeSent, reply.wantsSignedBody {
        request = try await inMemory(request, .maybeSent)
        sent.attempt = HTTPAttempt(
          unanswered: try await inMemory(sent.attempt.request, .maybeSent))
      }
      let verdict = held.receive(reply, to: sent)
      let isRefusal = !isOwn(sent) && sent.index != nil && verdict.isRefused
      try await learn(verdict, sent)
      if case .untrusted = verdict {
        throw TransportFailure(.untrusted(reply), delivery: .maybeSent)
      }
      // A body that could be read only once is gone: the answer is the caller's.
      guard request.canBeSent else { return exchanged(reply, verdict, sent) }
      var known: HeldCredentials.Attempt?
      switch verdict {
      case .resend(let next):
        known = HeldCredentials.Attempt(attempt: next, index: sent.index)
        // "the client may wish to simply retry the request with a new encrypted response, without
        // re-prompting the user for a new username and password" (RFC 7616 section 3.3).
        guard isOwn(known), !next.hasNewNonce, !reply.challenges.contains(where: \.isStale) else {
          sent.attempt = next
          continue
        }
      case .final where reply.questions.isEmpty: return exchanged(reply, verdict, sent)
      case .final, .refused, .stale, .unhandled, .untrusted: break
      }
      let isTaken = isTaken || reply.refusesClient
      if known == nil {
        if let index = sent.index { tried.insert(index) }
        if !isTaken { known = held.answer(reply, to: sent, besides: tried, with: own) }
      }
      if let known, !isOwn(known) {
        sent = known
        continue
      }
      // What the session itself is made of is the default: it answers unless somebody decides
      // otherwise.
      guard let next = try await ask(about: reply, to: sent, isTaken, isRefusal) ?? known else {
        return exchanged(reply, verdict, sent)
      }
      sent = next
    }
    throw TransportFailure(Self.endless, delivery: .maybeSent)
  }

  private func begin(_ request: HTTPRequest, _ isTaken: Bool) -> HeldCredentials.Attempt {
    guard isTaken else { return held.authorise(request, with: own) }
    return HeldCredentials.Attempt(attempt: HTTPAttempt(unanswered: request), index: nil)
  }

  /// Which of the held credentials were given to this conversation and serve no other one.
  private var own: [Int] { once + [offered?.index].compactMap(\.self) }

  /// Whether an attempt carries what the session itself is made of.
  private func isOwn(_ attempt: HeldCredentials.Attempt?) -> Bool {
    held.hasOwn && attempt?.index == 0
  }

  private func exchanged(
    _ reply: HTTPReply, _ verdict: HTTPAuthorizer.Verdict, _ sent: HeldCredentials.Attempt
  ) -> Exchanged {
    // What another credential met in front of the server says nothing about the session.
    guard isOwn(sent) else {
      return Exchanged(sent: sent.attempt.request, reply: reply, verdict: nil)
    }
    return Exchanged(
      sent: sent.attempt.request, reply: reply,
      verdict: verdict.isRefused ? .authorityLost : .unaffected)
  }

  // MARK: Credentials

  /// Puts the challenges of a reply to the resolver, one after the other.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - sent: What it replies to.
  ///   - isTaken: Whether the method alone writes `Authorization`.
  ///   - isRefusal: Whether it refuses what was given for a challenge before.
  /// - Returns: The answer to be sent; `nil` for the default handling.
  /// - Throws: `challenge.cancelled`, `challenge.timedOut` or `cancelled`.
  private mutating func ask(
    about reply: HTTPReply, to sent: HeldCredentials.Attempt, _ isTaken: Bool, _ isRefusal: Bool
  ) async throws(TransportFailure) -> HeldCredentials.Attempt? {
    let server = sent.attempt.request.url.origin
    let questions = reply.questions
    refusals.meet(questions, of: server, with: sent.attempt.request, isRefusal: isRefusal)
    for offered in questions {
      let asked = AskedChallenge(scheme: scheme(of: offered))
      let challenge = challenge(
        offered.question, server, refusals.count(of: offered, by: server))
      guard
        let decision = try await decide(
          challenge, asked, realm: Self.recordable(offered.realm, sent.attempt.request))
      else {
        return nil
      }
      switch decision {
      case .useCredential where isTaken || offered.isAboutTokens:
        try await close(asked, .unfit)
      case .useCredential(let credential):
        guard let given = given(credential, for: offered, server),
          let answer = held.answer(reply, to: sent, with: given.authorizer)
        else {
          try await close(asked, .unfit)
          continue
        }
        try await answered(asked)
        refusals.answer(offered, of: server)
        self.offered = Offer(
          index: answer.index, given: given, persistence: credential.persistence,
          challenge: asked)
        return answer
      case .performDefaultHandling, .acceptCertificate:
        try await close(asked, .declined)
        return nil
      case .cancelAuthenticationChallenge: throw try await cancelled(asked)
      case .rejectProtectionSpace: try await close(asked, .rejected)
      }
    }
    return nil
  }

  /// What is kept of a credential for a challenge; `nil` when no name and password answer it.
  private func given(
    _ credential: ChallengeCredential, for offered: AuthenticationChallenge, _ server: Origin
  ) -> GivenCredential? {
    HTTPStrength(offered).map { strength in
      GivenCredential(
        server: server, realm: offered.realm ?? "",
        credential: HTTPCredential(user: credential.user, .password(credential.password)),
        isPermanent: credential.persistence == .permanent, allowsCleartext: allowsCleartext,
        strength: strength)
    }
  }

  /// Learns the server's answer to a credential: a refused one is not kept, and not sent again.
  private mutating func learn(
    _ verdict: HTTPAuthorizer.Verdict, _ sent: HeldCredentials.Attempt
  ) async throws(TransportFailure) {
    guard let index = sent.index, !isOwn(sent) else { return }
    switch verdict {
    case .refused, .stale, .untrusted:
      held.forget([index])
      guard let offer = offered, offer.index == index else { return }
      offered = nil
      try await close(offer.challenge, .refused)
    case .final:
      guard let offer = offered, offer.index == index else { return }
      offered = nil
      if offer.persistence == .none {
        once.append(index)
      } else {
        var kept = offer.given
        kept.strength = held.strength(of: index) ?? kept.strength
        held.share(index)
        given = given.adding(kept)
      }
    // A server after the one that accepted the credential wants another one.
    case .resend, .unhandled: return
    }
  }

  // MARK: Asking

  mutating func decide(
    _ challenge: Challenge, _ asked: AskedChallenge, realm: String?
  ) async throws(TransportFailure) -> ChallengeDecision? {
    guard !asksNobody, await host.hasResolver(for: challenge.server) else { return nil }
    round += 1
    self.asked += 1
    try await record(
      ChallengeReceived(inRound(asked)),
      personal: realm.map { ChallengeReceived.Personal(realm: $0.cut(to: 256)).facts })
    do throws(GatebookError) {
      // Who takes the registration back at this moment has left it to the default.
      return try await host.decide(challenge) ?? .performDefaultHandling
    } catch {
      if error.code == .cancelled {
        try await record(ChallengeCancelled(inRound(asked)))
      } else {
        try await close(asked, .undecided)
      }
      throw TransportFailure(error, delivery: .maybeSent)
    }
  }
}
