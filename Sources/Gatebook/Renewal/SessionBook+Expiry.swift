extension SessionBook {
  /// Records that a session's known life is over where nothing but a login makes it live on.
  ///
  /// Readers see it without that; the log learns of it by the next who writes about the account.
  ///
  /// - Returns: Whether it is over; also where the book cannot be written now.
  @discardableResult
  func recordExpiry(of account: AccountID) async throws(GatebookError) -> Bool {
    let now = clock.now()
    // What a full disk could not take yet is newer than what is on it.
    guard unsaved[account] == nil, let state = try reader.state(of: account),
      let session = state.session, state.hasExpired(at: now)
    else { return false }
    var events = [
      ProposedEvent(
        .sessionExpired, account: account, session: session, cause: .recorded(state.cause))
    ]
    if let jump = state.renewed?.jump(at: now) {
      events.insert(
        ProposedEvent(
          .clockObserved, account: account, session: session, cause: .recorded(state.cause),
          data: ["jump": .integer(jump.microseconds)]),
        at: 0)
    }
    var append = Append(events, precondition: .generation(account, session, state.generation))
    append.vault = [
      .remove(account, purpose: Purpose.session), .remove(account, purpose: Purpose.cookies),
      .remove(account, purpose: Purpose.stepUp),
    ]
    do throws(GatebookError) {
      try await commit(append)
    } catch  where error.code == .preconditionFailed {
      // Somebody logged in anew or recorded it: what they wrote is the truth.
      return try reader.state(of: account)?.hasExpired(at: now) ?? false
    } catch  where Self.isUnwritable(error.code) {
      return true
    }
    return true
  }
}
