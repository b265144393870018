extension SessionBook {
  /// Begins a login whose person visits a page of the server, and waits for nothing.
  ///
  /// What the login needs to go on is sealed in the book before this returns: the redirect may
  /// arrive after a restart, or in another process.
  ///
  /// - Parameters:
  ///   - method: A method that opens a page, such as Liferay's `.oauth2Redirect`.
  ///   - options: How to keep the session; `redirectLimit` says how long the redirect is awaited.
  /// - Returns: The page to show.
  /// - Throws: `configuration.invalid` for a method without a page; else as
  ///   ``logIn(_:options:browser:)``.
  public func beginLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> PendingLogin {
    do throws(GatebookError) {
      return try await openPage(for: method, options)
    } catch {
      await loginDelegate?.onLoginError(error)
      throw error
    }
  }

  /// Begins a login, and leaves it to the caller to tell the delegate of its failure.
  func openPage(
    for method: LoginMethod, _ options: LoginOptions
  ) async throws(GatebookError) -> PendingLogin {
    guard method.opensPage else {
      throw GatebookError(
        .configurationInvalid, "This method opens no page.", kept: "Nothing was sent.",
        remedy: "Log in with it directly.")
    }
    try await endLateLogins()
    guard case .waiting(let pending) = try await start(method, options) else {
      throw Self.unknownRedirect
    }
    return pending
  }

  /// The logins that wait for a redirect, oldest deadline first.
  public func pendingLogins() throws(GatebookError) -> [PendingLogin] {
    let now = clock.now().wall
    return try waitingLogins().filter { $0.deadline > now }.map(\.pending)
  }

  /// Finishes the login that a redirect belongs to.
  ///
  /// - Parameter redirect: The whole URI to which the server sent the browser.
  /// - Returns: The account's context.
  /// - Throws: `state.mismatch` for a redirect that no login awaits, or one that was used already:
  ///   it is recorded (up to 16 after each login that began to wait; the end of the next one tells how
  ///   many came beyond), and the waiting logins go on waiting. `challenge.timedOut` after the
  ///   deadline; `challenge.cancelled` when the person refused; else the method's own failures.
  public func finishLogIn(
    redirect: String
  ) async throws(GatebookError) -> SessionContext {
    // A redirect of nobody ends no login: there is nothing to tell the delegate.
    let waiting = try await waitingLogin(for: redirect)
    return try await finishAndTell(waiting.login, with: waiting.fields)
  }

  /// Finishes a login with the code that the server showed to the person (`oob`).
  ///
  /// - Parameters:
  ///   - login: The login that waits.
  ///   - code: What the person typed.
  /// - Returns: The account's context.
  /// - Throws: As ``finishLogIn(redirect:)``.
  public func finishLogIn(
    _ login: SessionID, code: Secret
  ) async throws(GatebookError) -> SessionContext {
    guard let waiting = try waitingLogins().first(where: { $0.attempt.session == login }) else {
      throw Self.unknownRedirect
    }
    let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
    let fields = FormFields([
      .init(waiting.redirect.key, waiting.redirect.value),
      .init(waiting.redirect.codeName, text),
    ])
    return try await finishAndTell(waiting, with: fields)
  }

  private func finishAndTell(
    _ login: WaitingLogin, with fields: FormFields
  ) async throws(GatebookError) -> SessionContext {
    do throws(GatebookError) {
      return try await finish(login, with: fields)
    } catch {
      await tell(error, of: login.attempt.session)
      throw error
    }
  }

  /// Tells the delegate how a login failed, unless a `logIn` waits for it, which will.
  private func tell(_ error: GatebookError, of login: SessionID) async {
    guard !visiting.contains(login) else { return }
    await loginDelegate?.onLoginError(error)
  }

  /// Gives up a login that waits; its secrets are destroyed.
  ///
  /// - Returns: Whether it was still waiting.
  /// - Throws: A storage failure.
  @discardableResult
  public func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    guard let waiting = try waitingLogins().first(where: { $0.attempt.session == login }) else {
      return false
    }
    let isEnded = try await end(
      waiting,
      [
        waiting.attempt.event(.challengeCancelled, data: WaitingLogin.challenge),
        waiting.attempt.event(.loginCancelled),
      ])
    if isEnded { await tell(AuthenticatorRun.cancelled, of: login) }
    return isEnded
  }

  /// Seals what a login needs to go on and records that the person's turn has come.
  func wait(
    _ login: WaitingLogin, _ challenges: [AuthenticatorRun.Challenge]
  ) async throws(GatebookError) -> PendingLogin {
    let events = login.attempt.events(for: challenges, account: login.attempt.account)
    var append = Append(
      events + [login.attempt.event(.challengeReceived, data: WaitingLogin.challenge)])
    append.vault = [
      .keepAttempt(
        login.attempt.session, deadline: login.deadline, content: login.record.encoded)
    ]
    try await commit(append)
    strays.allowMore()
    return login.pending
  }

  /// Shows the page and waits for the redirect, the deadline, or another process that finishes.
  func visit(
    _ pending: PendingLogin, _ browser: any Browser
  ) async throws(GatebookError) -> SessionContext {
    visiting.insert(pending.id)
    defer { visiting.remove(pending.id) }
    do throws(GatebookError) {
      try await browser.open(pending.page)
      while true {
        switch await nextArrival(for: pending, browser) {
        case .redirect(let uri):
          do throws(GatebookError) {
            let waiting = try await waitingLogin(for: uri)
            guard waiting.login.attempt.session == pending.id else {
              // How another login ends is not this one's affair.
              _ = try? await finishAndTell(waiting.login, with: waiting.fields)
              continue
            }
            return try await finish(waiting.login, with: waiting.fields)
          } catch  where error.code == .stateMismatch || error.code == .contentUnexpected {
            guard try isWaiting(pending.id) else { throw error }
          }
        case .endedElsewhere:
          return try await outcome(of: pending)
        case .failed(let error): throw error
        }
      }
    } catch {
      // A caller that was cancelled must not leave its login waiting.
      await Task { await giveUp(pending, error) }.value
      throw error
    }
  }

  private enum Arrival: Sendable {
    case redirect(String)
    case endedElsewhere
    case failed(GatebookError)
  }

  /// Whichever comes first; the time is the book's own clock's.
  private func nextArrival(
    for pending: PendingLogin, _ browser: any Browser
  ) async -> Arrival {
    let arrival = FirstValue<Arrival>()
    // Not in a task group: that would wait for a browser that does not heed a cancellation.
    let hearing = Task {
      do throws(GatebookError) {
        await arrival.give(.redirect(try await browser.redirect()))
      } catch {
        await arrival.give(.failed(error))
      }
    }
    let watching = Task { await arrival.give(await watch(pending)) }
    let first = await withTaskCancellationHandler {
      await arrival.value
    } onCancel: {
      Task { await arrival.give(.failed(AuthenticatorRun.cancelled)) }
    }
    hearing.cancel()
    watching.cancel()
    return first
  }

  private func watch(_ pending: PendingLogin) async -> Arrival {
    while !Task.isCancelled {
      do throws(GatebookError) {
        if try !isWaiting(pending.id) { return .endedElsewhere }
      } catch {
        return .failed(error)
      }
      guard clock.now().wall < pending.deadline else { return .failed(Self.timedOut) }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return .failed(AuthenticatorRun.cancelled)
  }

  private func giveUp(_ pending: PendingLogin, _ error: GatebookError) async {
    // The failure that the caller hears counts more than one to record it: a waiting login that
    // stays ends with its deadline.
    guard let waiting = try? waitingLogins().first(where: { $0.attempt.session == pending.id })
    else { return }
    let last: EventKind = error.code == .cancelled ? .challengeCancelled : .challengeFailed
    _ = try? await end(
      waiting,
      [
        waiting.attempt.event(last, data: WaitingLogin.challenge),
        waiting.attempt.failed(error),
      ])
  }

  /// How a login ended that somebody else took over.
  ///
  /// Its wait ends before its code is redeemed: how the server answers is recorded after that.
  private func outcome(
    of pending: PendingLogin
  ) async throws(GatebookError) -> SessionContext {
    var filter = EventFilter()
    filter.session = pending.id
    let limit = pending.deadline + HTTPLimits.login.total
    while !Task.isCancelled {
      let events = try reader.events(filter)
      if let success = events.last(where: { $0.kind == EventKind.loginSucceeded.rawValue }),
        let account = success.account
      {
        return try context(of: account)
      }
      if let failure = events.last(where: { Self.failures.contains($0.kind) }) {
        throw Self.endedElsewhere(
          failure.data["code"]?.text.map { FailureCode(rawValue: $0) } ?? .cancelled)
      }
      guard clock.now().wall < limit else { throw Self.endedElsewhere(.outcomeUnknown) }
      try? await Task.sleep(for: .milliseconds(50))
    }
    throw AuthenticatorRun.cancelled
  }

  private static let failures = [
    EventKind.loginFailed.rawValue, EventKind.loginCancelled.rawValue,
  ]

  private static func endedElsewhere(_ code: FailureCode) -> GatebookError {
    GatebookError(
      code, "The login was ended by another process.", kept: "Sessions are as before.",
      remedy: "Look into the log for how it ended, then log in again.")
  }

  // MARK: Finishing

  private func waitingLogin(
    for redirect: String
  ) async throws(GatebookError) -> (login: WaitingLogin, fields: FormFields) {
    guard let arrived = ArrivedRedirect(redirect) else {
      throw try await refused(
        GatebookError(
          .contentUnexpected, "This is no redirect: it cannot be read as a URI.",
          kept: "Waiting logins go on waiting.", remedy: "Hand in the whole URI."))
    }
    let here = try waitingLogins().filter { arrived.isAt($0.redirect) }
    guard !arrived.fields.hasRepetition else {
      throw try await refused(
        GatebookError(
          .contentUnexpected, "The redirect has a parameter twice.",
          kept: "Waiting logins go on waiting.", remedy: "Log in anew if it came from the server."))
    }
    if let login = here.first(where: { arrived.answers($0.redirect) }) {
      return (login, arrived.fields)
    }
    // Where one login waits alone, a refusal can be of no other. Who forges one gains nothing by it.
    if here.count == 1, arrived.isNamelessRefusal(of: here[0].redirect) {
      let name = FormFields.Field(here[0].redirect.key, here[0].redirect.value)
      return (here[0], FormFields([name] + arrived.fields.fields))
    }
    throw try await refused(Self.unknownRedirect)
  }

  /// Records a redirect that ends no login, unless there were too many.
  private func refused(_ error: GatebookError) async throws(GatebookError) -> GatebookError {
    guard strays.admit() else { return error }
    try await commit(Append([ProposedEvent(.loginFailed, data: error.facts)]))
    return error
  }

  private func finish(
    _ login: WaitingLogin, with fields: FormFields
  ) async throws(GatebookError) -> SessionContext {
    guard clock.now().wall < login.deadline else {
      try await end(login, login.lateEvents)
      throw Self.timedOut
    }
    guard
      let machine = RedirectAuthenticators.decode(method: login.method, record: login.machine)
    else {
      throw GatebookError(
        .storageDamaged, "The waiting login cannot be read by this Gatebook.",
        kept: "It goes on waiting.", remedy: "Finish it with the Gatebook that began it.")
    }
    // Used up before it is sent: no second process, and no second redirect, redeems the code again.
    guard
      try await end(login, [login.attempt.event(.challengeAnswered, data: WaitingLogin.challenge)])
    else { throw try await refused(Self.unknownRedirect) }
    let ending = await run(
      machine, from: .redirect(fields), in: try conversation(of: login.attempt, login.options))
    let progress = try await settle(ending, login.attempt, login.options)
    guard case .finished(let context) = progress else { throw Self.unknownRedirect }
    return context
  }

  /// Ends the wait of a login with these events, the challenge's first; it tells how many redirects
  /// of nobody were not recorded.
  ///
  /// - Returns: Whether it was still waiting; else nothing was recorded.
  @discardableResult
  private func end(
    _ login: WaitingLogin, _ events: [ProposedEvent]
  ) async throws(GatebookError) -> Bool {
    let dropped = strays.dropped
    var append = Append(events)
    // The first event is the challenge's, which ends here.
    if dropped > 0, !events.isEmpty { append.events[0].data["dropped"] = .integer(dropped) }
    append.vault = [.endAttempt(login.attempt.session)]
    do throws(GatebookError) {
      try await commit(append)
      strays.forget(dropped)
      return true
    } catch  where error.code == .preconditionFailed {
      return false
    }
  }

  /// Ends the logins whose redirect never came.
  private func endLateLogins() async throws(GatebookError) {
    let now = clock.now().wall
    for login in try waitingLogins() where login.deadline <= now {
      if try await end(login, login.lateEvents) {
        await tell(Self.timedOut, of: login.attempt.session)
      }
    }
  }

  private func isWaiting(_ id: SessionID) throws(GatebookError) -> Bool {
    try reader.attempts().contains { $0.session == id }
  }

  private func waitingLogins() throws(GatebookError) -> [WaitingLogin] {
    try reader.attempts().compactMap(WaitingLogin.init)
  }

  static let timedOut = GatebookError(
    .challengeTimedOut, "The redirect did not come in time.", kept: "Sessions are as before.",
    remedy: "Log in again.")

  private static let unknownRedirect = GatebookError(
    .stateMismatch, "No login awaits this redirect, or it was used already.",
    kept: "Waiting logins go on waiting.", remedy: "Log in anew if it came from the server.")
}

extension WaitingLogin {
  /// The facts of the challenge that a page is to the person.
  static let challenge: Facts = ["round": 1, "scheme": "redirect"]

  /// How it ends when the redirect never came.
  var lateEvents: [ProposedEvent] {
    [
      attempt.event(.challengeFailed, data: WaitingLogin.challenge),
      attempt.failed(SessionBook.timedOut),
    ]
  }
}
