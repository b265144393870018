extension BookCare {
  /// Erases an account: its personal data is destroyed; its history stays and can still be
  /// verified.
  @discardableResult
  func erase(_ account: AccountID) async throws(GatebookError) -> Erasure {
    _ = try ledger.context(of: account)
    guard try !ledger.reader.isErased(account) else {
      return try await erasure(of: account, isRepeated: true)
    }
    do throws(GatebookError) {
      try await eraseAtLast(account)
    } catch  where error.isFinal {
      // Another process was faster.
      return try await erasure(of: account, isRepeated: true)
    }
    challenges.held[account] = nil
    if ledger.held[account]?.renewal != nil { ledger.held[account] = nil }
    return try await erasure(of: account, isRepeated: false)
  }

  private func eraseAtLast(_ account: AccountID) async throws(GatebookError) {
    try await cancelLogins(of: account)
    let localLogout: Logouts.LocalLogout
    do {
      // Another delivery to the account's servers does not delay an erasure.
      let lock = try? ledger.reader.takeLock(ofOutbox: account)
      localLogout = try await logouts.logOutLocally(account, true, by: .erase)
      await logouts.tellServer(of: localLogout, holding: lock)
    }
    // What was to be said before: with the key goes what says it.
    _ = await startTask { try? await self.outbox.deliverOutbox(on: .asked, of: account) }
      .value(cancelledAfter: DeliveryEnding.patience)
    let ended = localLogout.cause.map { (session: localLogout.context.session, cause: $0) }
    do throws(GatebookError) {
      try await ledger.retryingOnConflict { () throws(GatebookError) in
        try await eraseOnce(account, after: ended)
      }
    } catch  where error.code == .cancelled && ended != nil {
      throw error.keeping("The account was logged out but not erased.")
    }
  }

  /// Ends the logins that wait for the account's user, whose names they keep.
  private func cancelLogins(of account: AccountID) async throws(GatebookError) {
    for login in try waiting.waitingLogins() {
      let attempt = login.attempt
      let named = [
        attempt.account, login.options.account, try ledger.reader.account(ofName: attempt.typed),
        try ledger.reader.account(ofUser: attempt.typed),
      ]
      if named.contains(account) { try await waiting.cancelLogIn(attempt.session) }
    }
  }

  private func eraseOnce(
    _ account: AccountID, after ended: (session: SessionID?, cause: Position)?
  ) async throws(GatebookError) {
    guard let state = try ledger.reader.state(of: account) else { throw Ledger.unknown(account) }
    // A login that came in between is not what was to be erased: its person would be lost unasked.
    guard !state.state.isUsable else {
      throw GatebookError(
        .storageBusy, "The account was logged in again during the erase.",
        kept: "The account was not erased.", remedy: "Try again.")
    }
    var events = [
      ProposedEvent(
        AccountErased(
          secrets: try ledger.reader.secretCount(of: account), untold: Int64(state.outbox.count)),
        account: account,
        // The session's own end, where it was this that ended it.
        session: ended?.session, cause: .recorded(ended?.cause ?? state.position))
    ]
    if try ledger.reader.current() == account {
      let next = try logouts.successor(of: account)
      events.append(try ledger.switching(to: next, cause: .proposed(0)))
    }
    try await ledger.commitUnlessCancelled(
      Append(
        events, precondition: .revision(account, state.revision), vault: [.erase(account)]))
  }

  private func erasure(
    of account: AccountID, isRepeated: Bool
  ) async throws(GatebookError) -> Erasure {
    // The account is erased, whatever comes of this: the next who writes tries again.
    let isWiped = (try? await ledger.store.get().wipe()) ?? false
    let context = try ledger.context(of: account)
    // An archive may have it.
    let erased = try? ledger.reader.event(at: context.position)?.facts(of: AccountErased.self)
    return Erasure(
      context: context, position: context.position, isRepeated: isRepeated,
      untold: Int(erased?.untold ?? 0), isWiped: isWiped,
      copies: try ledger.reader.copies(withKeyOf: account))
  }
}
