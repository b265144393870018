extension Requests {
  /// The stronger login that a server demanded before it accepts a request; `nil` if none is open.
  func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    _ = try ledger.context(of: account)
    return try ledger.reader.demandedStepUp(of: account)
  }

  /// The login that satisfies a server's demand: the account's own method, on a login page, with
  /// the demanded scopes and strength.
  func stepUpLogin(
    of account: AccountID, to demand: StepUp? = nil, redirectURI: String
  ) async throws(GatebookError) -> (method: LoginMethod, options: LoginOptions) {
    let session = try await renewals.requireSession(of: account, mayLogIn: false)
    let open = if let demand { demand } else { try demandedStepUp(of: account) }
    guard let open, open != StepUp() else { throw Self.nothingDemanded }
    let method = try session.stored.proof.strongerLogin(for: open, redirectURI: redirectURI)
    var options = LoginOptions()
    options.account = account
    // What was saved stays as it is: a password logs in again for longer than a token on a page.
    options.offlineLimit = session.state.offline.map { .microseconds($0.limit) }
    options.origins = session.stored.origins
    options.trust = session.stored.trust
    options.allowsCleartext =
      method.origin.isCleartext || session.stored.origins.contains(where: \.isCleartext)
    options.becomesCurrent = false
    return (method, options)
  }

  /// Keeps a server's demand, once: an open challenge of the session, which stays as it is.
  ///
  /// - Parameters:
  ///   - demand: The demand.
  ///   - error: The server's code for it: `insufficient_scope` or
  ///     `insufficient_user_authentication`.
  ///   - session: The session that it refused.
  /// - Throws: Storage failures.
  func keep(
    _ demand: StepUp, _ error: String?, of session: OpenSession
  ) async throws(GatebookError) {
    let account = session.context.account
    var record = demand.record
    // Where the server names nothing, the code alone tells one demand from another.
    if demand == StepUp() { record["error"] = .optional(error) }
    let content = record.encoded
    guard try ledger.reader.secret(of: account, purpose: Purpose.stepUp) != content else { return }
    var received = ChallengeReceived(AskedChallenge(scheme: "bearer", round: 1))
    received.challenge.check = "step-up"
    received.error = error
    received.maximumAge = demand.maximumAge
    func told(_ names: [String]) -> String? {
      names.isEmpty ? nil : names.joined(separator: " ").cut(to: 256)
    }
    let personal = ChallengeReceived.Personal(
      acr: told(demand.contextClasses), scope: told(demand.scopes)
    ).facts
    let event = session.event(received, personal: personal.isEmpty ? nil : personal)
    try await ledger.commit(
      Append(
        [event], precondition: session.precondition,
        vault: [
          .set(
            account, purpose: Purpose.stepUp, generation: session.state.generation,
            content: content)
        ]))
  }

  private static let nothingDemanded = GatebookError(
    .configurationInvalid, "No server demands a stronger login, or the server did not say which.",
    kept: "The session is kept.",
    remedy:
      "Pass a `StepUp` with the required scopes or authentication context classes.")
}

extension BookReader {
  /// The stronger login that a server demanded before it accepts a request; `nil` if none is open.
  ///
  /// - Parameter account: The account.
  /// - Returns: The demand.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    try secret(of: account, purpose: Purpose.stepUp)
      .flatMap { Facts(decoding: $0) }.flatMap { StepUp(record: $0) }
  }
}
