extension SessionBook {
  /// Resumes an account's session from the log, without the network.
  ///
  /// The context says since when the server has not confirmed it; the next request does that. If
  /// even the event cannot be written (a full disk, a book that others hold), the context is
  /// returned all the same, with `isRecorded` false.
  ///
  /// Source: Login Screenlet, `loadStoredCredentials`.
  ///
  /// - Parameter account: The account.
  /// - Returns: The context, `offline`.
  /// - Throws: `session.refused` when only a login helps; `key` and `storage` failures when the book
  ///   cannot be read: that never means "logged out".
  public func restore(_ account: AccountID) async throws(GatebookError) -> SessionContext {
    let session = try await requireSession(of: account)
    let evidence = session.state.verified ?? session.state.cause
    let event = session.event(
      .sessionRestored, cause: .recorded(evidence),
      data: ["evidence": .integer(evidence.rawValue)])
    do throws(GatebookError) {
      try await commit(
        Append(
          [event] + session.clockEvents(at: clock.now()), precondition: session.precondition))
    } catch  where Self.isUnwritable(error.code) {
      let context = session.context.unrecorded(
        lastVerified: session.state.verifiedAt ?? session.context.since)
      await loginDelegate?.onCredentialsLoaded(context)
      return context
    } catch  where error.code == .preconditionFailed {
      // Another process renewed or ended the session meanwhile: what it recorded is the truth.
    }
    let context = try context(of: account)
    await loginDelegate?.onCredentialsLoaded(context)
    return context
  }

  static func isUnwritable(_ code: FailureCode) -> Bool {
    [.storageFull, .storageReadOnly, .storageBusy].contains(code)
  }
}
