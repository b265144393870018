extension SessionBook {
  /// Erases an account: its personal data is destroyed; its history stays and can still be verified.
  ///
  /// ```
  /// log out (the servers are told once) -> destroy the key, with the event -> cut the WAL
  /// ```
  ///
  /// The account's key is destroyed, and with it the personal data of its events, its secrets, its saved
  /// credentials and its lookups: a new login of the same user creates a new account. Readers get
  /// ``Personal/forgotten``. If it was the current account, the most recently used other account that is not
  /// logged out becomes current; without one, no account is current.
  ///
  /// Other processes that have the book open cannot use the key either: what they write about the account fails
  /// with `precondition.failed`. Data that they read before stays in their memory until they end.
  ///
  /// A killed process leaves an account that is logged out or erased; calling this again completes the erase.
  ///
  /// - Parameter account: The account. For an erased one, only remaining data is wiped.
  /// - Returns: The result, and the copies of the book that may still hold its key.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure; the account may then be
  ///   logged out.
  @discardableResult
  public func erase(_ account: AccountID) async throws(GatebookError) -> Erasure {
    _ = try context(of: account)
    guard try !reader.isErased(account) else {
      return try await erasure(of: account, isRepeated: true)
    }
    do throws(GatebookError) {
      try await eraseAtLast(account)
    } catch  where error.isFinal {
      // Another process was faster.
      return try await erasure(of: account, isRepeated: true)
    }
    held[account] = nil
    unsaved[account] = nil
    return try await erasure(of: account, isRepeated: false)
  }

  private func eraseAtLast(_ account: AccountID) async throws(GatebookError) {
    try await cancelLogins(of: account)
    let localLogout: LocalLogout
    do {
      // Whoever tells the account's servers of something else now holds up no erasure.
      let lock = try? reader.takeLock(ofOutbox: account)
      localLogout = try await logOutLocally(account, true, by: .erase)
      await tellServer(of: localLogout, holding: lock)
    }
    // What was to be said before: with the key goes what says it.
    _ = await Task { try? await deliverOutbox(on: .asked, of: account) }
      .value(cancelledAfter: DeliveryEnding.patience)
    let ended = localLogout.cause.map { (session: localLogout.context.session, cause: $0) }
    do throws(GatebookError) {
      try await retryingOnConflict { () throws(GatebookError) in
        try await eraseOnce(account, after: ended)
      }
    } catch  where error.code == .cancelled && ended != nil {
      throw error.keeping("The account was logged out but not erased.")
    }
  }

  /// The copies of the book that may hold an account's key.
  ///
  /// - Parameter account: The account; `nil` for all copies.
  /// - Returns: The copies that were made with Gatebook, oldest first.
  /// - Throws: Storage failures.
  public func copies(withKeyOf account: AccountID? = nil) throws(GatebookError) -> [BookCopy] {
    if let account { return try reader.copies(withKeyOf: account) }
    return try reader.copies()
  }

  /// Refuses an account that nobody can log in to any more, before a server is asked.
  ///
  /// - Throws: `precondition.failed` for an erased account, `configuration.invalid` for an unknown one.
  func checkLiving(_ account: AccountID) throws(GatebookError) {
    _ = try context(of: account)
    guard try reader.isErased(account) else { return }
    throw GatebookError(
      .preconditionFailed, "The account was erased: \(account).", kept: "Nothing was sent.",
      remedy: "Log in without naming an account: that creates a new one.")
  }

  /// Ends the logins that wait for the account's user, whose names they keep.
  private func cancelLogins(of account: AccountID) async throws(GatebookError) {
    let logins =
      try waitingLogins().map { ($0.attempt, $0.options) }
      + deviceWaits().map { ($0.attempt, $0.options) }
    for (attempt, options) in logins {
      let named = [
        attempt.account, options.account, try reader.account(ofName: attempt.typed),
        try reader.account(ofUser: attempt.typed),
      ]
      if named.contains(account) { try await cancelLogIn(attempt.session) }
    }
  }

  private func eraseOnce(
    _ account: AccountID, after ended: (session: SessionID?, cause: Position)?
  ) async throws(GatebookError) {
    guard let state = try reader.state(of: account) else { throw Self.unknown(account) }
    // A login that came in between is not what was to be erased: its person would be lost unasked.
    guard !state.state.isUsable else {
      throw GatebookError(
        .storageBusy, "The account was logged in again during the erase.",
        kept: "The account was not erased.", remedy: "Try again.")
    }
    var events = [
      ProposedEvent(
        AccountErased(
          secrets: try reader.secretCount(of: account), untold: Int64(state.outbox.count)),
        account: account,
        // The session's own end, where it was this that ended it.
        session: ended?.session, cause: .recorded(ended?.cause ?? state.position))
    ]
    if try reader.current() == account {
      if let next = try successor(of: account) {
        events.append(try switching(to: next, cause: .proposed(0)))
      } else {
        events.append(try switchingToNobody(cause: .proposed(0)))
      }
    }
    var append = Append(events, precondition: .revision(account, state.revision))
    append.vault = [.erase(account)]
    try await commitUnlessCancelled(append)
  }

  private func erasure(
    of account: AccountID, isRepeated: Bool
  ) async throws(GatebookError) -> Erasure {
    // The account is erased, whatever comes of this: the next who writes tries again.
    let isWiped = (try? await store.get().wipe()) ?? false
    let context = try context(of: account)
    // An archive may have it.
    let erased = try? reader.event(at: context.position)?.facts(of: AccountErased.self)
    return Erasure(
      context: context, position: context.position, isRepeated: isRepeated,
      untold: Int(erased?.untold ?? 0), isWiped: isWiped,
      copies: try reader.copies(withKeyOf: account))
  }
}
