extension WaitingLogins {
  /// Shows the page and waits for the redirect, the deadline, or another process that finishes.
  func visit(
    _ login: WaitingLogin, _ browser: any Browser
  ) async throws(GatebookError) -> SessionContext {
    visiting.insert(login.attempt.session)
    defer { visiting.remove(login.attempt.session) }
    do throws(GatebookError) {
      try await browser.open(login.page)
      while true {
        switch await nextArrival(for: login, browser) {
        case .redirect(let uri):
          if let context = try await take(uri, from: browser, for: login) { return context }
        case .endedElsewhere:
          return try await outcome(of: login.attempt.session, until: login.deadline)
        case .failed(let error): throw error
        }
      }
    } catch {
      // A caller that was cancelled must not leave its login waiting. The failure that it hears
      // counts more than one to record it: a login that stays ends with its deadline.
      await startTask { _ = try? await self.end(login, by: error) }.value
      throw error
    }
  }

  /// Takes a redirect, and tells the browser what became of it before anybody else hears of that:
  /// the program may end then.
  ///
  /// - Returns: The context; `nil` where the redirect was another login's, or nobody's.
  private func take(
    _ redirect: String, from browser: any Browser, for login: WaitingLogin
  ) async throws(GatebookError) -> SessionContext? {
    do throws(GatebookError) {
      let waiting = try await waitingLogin(for: redirect)
      guard waiting.login.attempt.session == login.attempt.session else {
        // How another login ends is not this one's affair.
        await browser.end(redirect, with: await ending(of: waiting))
        return nil
      }
      let context = try await finish(waiting.login, with: waiting.fields)
      await browser.end(redirect, with: .loggedIn)
      return context
    } catch {
      let isStray = error.code == .stateMismatch || error.code == .contentUnexpected
      let waits = isStray ? try isWaiting(login.attempt.session) : false
      await browser.end(redirect, with: waits ? .refused(error) : .failed(error))
      guard waits else { throw error }
      return nil
    }
  }

  /// Finishes another login that waits, whose redirect arrived here.
  private func ending(
    of waiting: (login: WaitingLogin, fields: FormFields)
  ) async -> RedirectEnding {
    do throws(GatebookError) {
      _ = try await finishAndTell(waiting.login, with: waiting.fields)
      return .loggedIn
    } catch {
      return .failed(error)
    }
  }

  private enum Arrival: Sendable {
    case redirect(String)
    case endedElsewhere
    case failed(GatebookError)
  }

  /// Whichever comes first; the time is the book's own clock's.
  private func nextArrival(
    for login: WaitingLogin, _ browser: any Browser
  ) async -> Arrival {
    let arrival = FirstValue<Arrival>()
    // Not in a task group: that would wait for a browser that does not heed a cancellation.
    let hearing = startTask {
      do throws(GatebookError) {
        await arrival.give(.redirect(try await browser.redirect()))
      } catch {
        await arrival.give(.failed(error))
      }
    }
    let watching = startTask { await arrival.give(await self.watch(login)) }
    let first = await arrival.value(cancelled: .failed(GatebookError.cancelledByCaller))
    hearing.cancel()
    watching.cancel()
    return first
  }

  private func watch(_ login: WaitingLogin) async -> Arrival {
    while !Task.isCancelled {
      do throws(GatebookError) {
        if try !isWaiting(login.attempt.session) { return .endedElsewhere }
      } catch {
        return .failed(error)
      }
      guard ledger.clock.now().wall < login.deadline else { return .failed(Self.timedOut) }
      await ledger.clock.pause(for: .milliseconds(50))
    }
    return .failed(GatebookError.cancelledByCaller)
  }

  /// How a login ended that somebody else took over.
  ///
  /// Its wait ends before its code is redeemed: how the server answers is recorded after that.
  func outcome(
    of login: SessionID, until deadline: Timestamp
  ) async throws(GatebookError) -> SessionContext {
    let filter = EventFilter(session: login)
    let limit = deadline + HTTPLimits.login.total
    while !Task.isCancelled {
      let events = try ledger.reader.events(filter)
      if let success = events.last(where: { $0.isKind(.loginSucceeded) }),
        let account = success.account
      {
        return try ledger.context(of: account)
      }
      if let failure = events.last(where: \.endsLoginInVain) {
        let code = failure.facts(of: LoginFailed.self)?.failure.code
        throw Self.endedElsewhere(code ?? .cancelled)
      }
      guard ledger.clock.now().wall < limit else { throw Self.endedElsewhere(.outcomeUnknown) }
      await ledger.clock.pause(for: .milliseconds(50))
    }
    throw GatebookError.cancelledByCaller
  }

  private static func endedElsewhere(_ code: FailureCode) -> GatebookError {
    GatebookError(
      code, "Another process ended the login.", kept: "No session was changed.",
      remedy: "Look in the log how it ended, then log in again.")
  }
}
