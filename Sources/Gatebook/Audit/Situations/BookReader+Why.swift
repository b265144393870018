extension BookReader {
  /// Why an account is in its state.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - now: The time to answer for: what has expired by then counts as ended, even if nothing
  ///     recorded it. `nil`: only the log counts.
  /// - Returns: What led to it, and what to do; `nil` for an unknown account.
  /// - Throws: `storage.damaged` if the event is missing that determines its state; other storage
  ///   failures.
  public func why(
    _ account: AccountID, at now: Moment? = nil
  ) throws(GatebookError) -> Explanation? {
    guard let context = try context(of: account, at: now),
      let state = try state(of: account)
    else { return nil }
    var chain = CauseChain(self)
    var events: [RecordedEvent]
    if let event = try event(at: context.position) {
      events = try chain.collect(to: event, isPresent: true)
    } else {
      guard let past = try continuation(), context.position <= past.floor else {
        throw Self.missing(context.position)
      }
      events = try chain.collect(of: account, after: context.position)
      chain.unknown = context.position
    }
    let waiting = try waitingStarts(of: account, at: now)
    for start in waiting { chain.add(waiting: start) }
    let refusals = try lateRefusals(state, at: now)
    let known = Set(events.map(\.position))
    events += (waiting + refusals).filter { !known.contains($0.position) }
    events.sort { $0.position < $1.position }
    let causes = try endCauses(events, state.method)
    var steps = Explanation.Step.steps(
      events, try remarks(events, chain.unended, at: now), causes: causes)
    if !context.isRecorded, context.state.reason != nil {
      let end = Explanation.Step(unrecordedAt: context.since)
      steps.insert(end, at: (steps.lastIndex { $0.at <= end.at } ?? steps.count - 1) + 1)
    }
    let situation = try situation(
      context, state, events, unended: chain.unended, refusals: refusals, causes: causes, at: now)
    let answer = situation.answer
    let advice = situation.advice
    return Explanation(
      events: events, account: account, position: context.position, answer: answer.sentence,
      steps: steps, unknown: chain.unknown, present: nil, advice: advice.advice,
      unchecked: situation.kept.unchecked, isDiskFull: isDiskFull,
      lostScopes: situation.lostScopes?.names ?? [], rules: answer.rules + advice.rules)
  }

  /// Gathers what the rules need.
  private func situation(
    _ context: SessionContext, _ state: AccountState, _ events: [RecordedEvent],
    unended: [Position: RecordedEvent], refusals: [RecordedEvent],
    causes: [Position: Sentence], at now: Moment?
  ) throws(GatebookError) -> AccountSituation {
    let account = context.account
    let begun = try begun(account, state, unended)
    let logins = unended.values.filter { $0.isKind(.loginStarted) && !$0.isSilent }
    // A running login holds the lock too, and is explained itself.
    let holder = begun?.isHeld == true ? nil : try renewer(of: account)
    let isOfLogin = logins.contains { $0.writer.process == holder?.process.map { Int64($0) } }
    let end = events.last(where: \.endsSession)
    let own = events.at(context.server)
    return AccountSituation(
      context: context, folded: state, now: now, events: events, ownEvents: own, ofUse: own.ofUse,
      saved: try savedLogin(of: account, state), kept: try keptSession(of: account, state),
      isDiskFull: isDiskFull,
      endCause: end.map { causes[$0.position] }
        ?? context.state.reason.flatMap { events.refusedRenewal($0, nil) },
      lostScopes: try lostScopes(of: account, state),
      distrust: try context.distrustedBy(own).map { (refusal) throws(GatebookError) in
        try distrust(refusal, of: account)
      },
      refusals: refusals, begun: begun, lockHolder: isOfLogin ? nil : holder,
      hasOrphanedLogin: state.savedUse?.isOpen == true ? try isLocked(account) == false : false,
      deliverer: try deliverer(of: account), isSpentByUse: try isSpentByUse(state.intent),
      heldUpTriggers: try heldUpTriggers(state, events),
      isClosedOffline: try (isPulled() ? true : hasSecret(of: account, purpose: Purpose.offline))
        && state.passwordAttempts >= OfflineAttempt.maximum,
      isByToken: try event(at: state.person)?.facts(of: LoginSucceeded.self)?.evidence == "token",
      hasOpenLogin: try logins.compactMap(\.session).map { (session) throws(GatebookError) in
        try waits(session, at: now)
      }.contains(true),
      hasUnendedLogin: try logins.map { (login) throws(GatebookError) in
        try !isOverdue(login, at: now)
      }.contains(true))
  }

  /// Why sessions ended, by the positions of their ends.
  private func endCauses(
    _ events: [RecordedEvent], _ method: String
  ) throws(GatebookError) -> [Position: Sentence] {
    var causes: [Position: Sentence] = [:]
    for end in events where end.endsSession {
      let login = events.last { $0.isKind(.loginSucceeded) && $0.session == end.session }
      causes[end.position] = try endCause(
        of: end, among: events,
        method: login?.facts(of: LoginSucceeded.self)?.method.known ?? method)
    }
    return causes
  }

  /// So many logins that wait are looked for in the whole book: a person has a few.
  private static let mostWaiting = 64

  /// How those logins of an account began that wait for the person.
  private func waitingStarts(
    of account: AccountID, at now: Moment?
  ) throws(GatebookError) -> [RecordedEvent] {
    let logins = try waitingLogins(at: now, limit: Self.mostWaiting)
    return try logins.map { (login) throws(GatebookError) in
      try last(.loginStarted, of: account, in: login)
    }.flatMap(\.self)
  }

  /// What is said of events beside what they tell themselves, by their positions.
  private func remarks(
    _ events: [RecordedEvent], _ unended: [Position: RecordedEvent], at now: Moment?
  ) throws(GatebookError) -> [Position: Sentence] {
    try firstUseRemarks(events).merging(remarks(onUnended: unended, at: now)) { $0 + $1 }
      .merging(events.deliveryRemarks) { $0 + $1 }
  }

  private static func missing(_ position: Position) -> GatebookError {
    GatebookError(
      .storageDamaged,
      "The event at position \(position), which determines the account's state, is missing. The log was "
        + "damaged or tampered with.",
      kept: "The file was not changed.",
      remedy: "Keep a copy of the file. `BookVerifier` shows which events are still proven.")
  }

  /// Whether what a renewal has sent is good for one use; where that is not known, it may be.
  private func isSpentByUse(_ intent: AccountState.Intent?) throws(GatebookError) -> Bool {
    guard let intent, let start = try event(at: intent.position) else { return true }
    return start.facts(of: RefreshStarted.self)?.fingerprint != nil
  }

  /// The renewal, or the login with what was saved, that was begun last and has no recorded end.
  private func begun(
    _ account: AccountID, _ state: AccountState, _ unended: [Position: RecordedEvent]
  ) throws(GatebookError) -> UnfinishedWork? {
    let own = unended.values.filter { $0.isKind(.refreshStarted) || $0.isSilent }
    let position = state.intent?.position ?? own.map(\.position).max()
    guard let position else { return nil }
    var start = unended[position]
    if start == nil { start = try event(at: position) }
    guard let start else { return nil }
    guard try isLocked(account) == true else {
      return UnfinishedWork(start: start, isHeld: try isLocked(account))
    }
    // The holder of the lock may have come later, and the earlier work still has no end.
    let process = try renewer(of: account)?.process
    return UnfinishedWork(start: start, isHeld: process.map { Int64($0) == start.writer.process })
  }

  /// Why an event happened.
  ///
  /// - Parameters:
  ///   - position: The event.
  ///   - now: The time for which to say what to do, including what has happened since.
  /// - Returns: What led to it, and what to do; `nil` if there is no such event.
  /// - Throws: Storage failures.
  public func why(
    _ position: Position, at now: Moment? = nil
  ) throws(GatebookError) -> Explanation? {
    guard let event = try event(at: position) else { return nil }
    var chain = CauseChain(self)
    let events = try chain.collect(to: event, isPresent: false)
    let told = try loginEvents(of: event)
    let open = told.count == 1 ? told.first { $0.isKind(.loginStarted) } : nil
    // Nobody's login has no account's stream to look for its end in.
    let unended =
      event.account == nil ? open.map { [$0.position: $0] } ?? [:] : chain.unended
    let folded = try event.account.flatMap { (account) throws(GatebookError) in
      try state(of: account)
    }
    let causes = try endCauses(events, folded?.method ?? "")
    let steps = Explanation.Step.steps(
      events, try remarks(events, unended, at: now), causes: causes)
    let answer = try answer(event, events, causes)
    if event.account == nil, open == nil, let end = told.last, end.account == nil,
      end.position > position
    {
      return Explanation(
        events: events + [end], account: nil, position: position, answer: answer, steps: steps,
        unknown: chain.unknown, present: end.sentence,
        advice: try why(end.position, at: now)?.advice ?? .nothing)
    }
    let account = try event.account.flatMap { (account) throws(GatebookError) in
      try present(account, at: now)
    }
    var explanation = Explanation(
      events: events, account: event.account, position: position, answer: answer, steps: steps,
      unknown: chain.unknown, present: account?.answer, advice: account?.advice ?? .logIn,
      unchecked: account?.unchecked, isDiskFull: account?.isDiskFull ?? isDiskFull)
    if let open {
      explanation.answer =
        answer + (try isOverdue(open, at: now) ? Self.overdue : Self.withoutEnd)
      if let login = open.session, try waits(login, at: now) { explanation.advice = .resume }
    } else {
      explanation.advice = advice(after: event, events, account, at: now)
      // What is so by the event itself is no news.
      if account?.position == position, folded?.position == position { explanation.present = nil }
    }
    return explanation
  }

  /// What an event tells, with why a session ended by it, and which server was not trusted.
  private func answer(
    _ event: RecordedEvent, _ events: [RecordedEvent], _ causes: [Position: Sentence]
  ) throws(GatebookError) -> Sentence {
    if let cause = causes[event.position] { return event.endSentence(cause) }
    guard event.failure.isOfTrust, !event.isKind(.trustDecided),
      let refusal = events.last(where: \.refusesServer)?.trust
    else { return event.sentence }
    return try distrust(refusal, of: event.account) + event.sentence
  }

  /// Why an account is in its present state; `nil` if the log lacks the causes: the event is
  /// explained all the same.
  private func present(
    _ account: AccountID, at now: Moment?
  ) throws(GatebookError) -> Explanation? {
    do throws(GatebookError) {
      return try why(account, at: now)
    } catch  where error.code == .storageDamaged {
      return nil
    }
  }

  private static let withoutEnd: Sentence =
    " The outcome of that login is not recorded: it is still running, or its process has ended."

  private static let overdue: Sentence =
    " The outcome of that login is not recorded, and it can no longer be continued."

  /// How the login began, and how it ended, that an event began or belongs to: where nothing says
  /// how it ended, the beginning alone.
  private func loginEvents(of event: RecordedEvent) throws(GatebookError) -> [RecordedEvent] {
    guard let session = event.session,
      event.account == nil || event.isKind(.loginStarted) || event.kind.hasPrefix("challenge.")
    else { return [] }
    return try events(EventFilter(session: session, kind: "login.", limit: 2))
  }

  /// What an event calls for now: of an account, what its state calls for.
  private func advice(
    after event: RecordedEvent, _ chain: [RecordedEvent], _ present: Explanation?,
    at now: Moment?
  ) -> Advice {
    if let present,
      // A login that failed, and nothing has happened since, is still to be made; so is a stronger
      // one.
      !event.isKind(.loginFailed) || present.position > event.position
        || [.stepUp, .askDemand, .logInByOpenID].contains(present.advice)
    {
      return present.advice
    }
    if event.refusesServer, let advice = event.trust?.advice { return advice }
    // A check that names nobody is not the one to log in by.
    if event.facts(of: LoginCancelled.self)?.reason == "nobody" { return .checkSettings }
    guard
      event.isPart(.failure)
        || EventKind(rawValue: event.kind) == nil && event.kind.hasSuffix(".failed")
    else { return .nothing }
    // Nothing of nobody's is kept that could be told again.
    if event.account == nil, event.isKind(.revocationFailed) { return .nothing }
    var advice = event.failureAdvice ?? .nothing
    if advice == .checkServer,
      let refusal = chain.last(where: \.refusesServer)?.trust
    {
      advice = refusal.advice
    }
    guard event.isKind(.loginFailed) || event.account == nil,
      let start = chain.last(where: { $0.isKind(.loginStarted) })
    else { return advice }
    advice = start.advice(onLogin: advice)
    return chain.isSilenced(at: now) ? advice.silenced : advice
  }
}
