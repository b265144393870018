extension SessionBook {
  /// The credentials for challenges that outlive the account's sessions, as far as they can be read.
  func keptCredentials(of account: AccountID) throws(GatebookError) -> [GivenCredential] {
    try credentials(of: account).known
  }

  /// All that outlives the account's sessions for challenges.
  func credentials(of account: AccountID) throws(GatebookError) -> KeptCredentials {
    guard let bytes = try reader.secret(of: account, purpose: Purpose.challenges) else {
      return KeptCredentials()
    }
    guard let list = Facts(decoding: bytes)?["given"]?.list else {
      // What cannot be read must not be written over (rule 9).
      throw GatebookError(
        .storageDamaged,
        "What the account keeps for challenges cannot be read by this Gatebook.",
        kept: "The account is kept.", remedy: "Remove the account's credentials, then try again.")
    }
    return KeptCredentials(record: list)
  }

  /// Keeps what was given for good for an account that has no session now.
  func keep(
    _ given: [GivenCredential], of account: AccountID
  ) async throws(GatebookError) {
    guard given.contains(where: \.isPermanent) else { return }
    try await takeTurns { () throws(GatebookError) in
      guard let state = try reader.state(of: account),
        let change = Self.change(
          of: account, from: try credentials(of: account), adding: given)
      else { return }
      var append = Append(
        [
          ProposedEvent(
            .credentialsSaved, account: account, cause: .recorded(state.cause),
            data: ["purpose": "challenge"])
        ], precondition: .revision(account, state.revision))
      append.vault = [change]
      try await commit(append)
    }
  }

  /// The vault's change by credentials that were given for good; `nil` for none.
  static func change(
    of account: AccountID, from kept: KeptCredentials, adding given: [GivenCredential]
  ) -> Append.VaultChange? {
    let permanent = given.filter(\.isPermanent)
    guard !permanent.isEmpty else { return nil }
    let content: Facts = ["given": kept.adding(permanent).record]
    return .set(account, purpose: Purpose.challenges, generation: 1, content: content.encoded)
  }

  /// Forgets what an account saved to log in again by itself, to check its password offline, and what
  /// it keeps for challenges; a session that lives goes on.
  ///
  /// Works after a logout too: a saved refresh token is then taken back at its server, at once or later.
  /// While a session lives it is left, for some servers take both for one.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether there was anything.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  @discardableResult
  public func removeCredentials(of account: AccountID) async throws(GatebookError) -> Bool {
    let isRemoved = try await takeTurns { () throws(GatebookError) in
      try await removeOnce(account)
    }
    if isRemoved { await tellServers(ofForgotten: account) }
    return isRemoved
  }

  private func removeOnce(_ account: AccountID) async throws(GatebookError) -> Bool {
    let context = try context(of: account)
    // A renewal may replace what was saved between our look and our commit.
    let revision = try reader.state(of: account)?.revision ?? 0
    var append = Append([], precondition: .revision(account, revision))
    for (purposes, name) in [
      ([Purpose.credentials, Purpose.offline], "login"), ([Purpose.challenges], "challenge"),
    ] {
      var kept: [String] = []
      for purpose in purposes where try reader.secret(of: account, purpose: purpose) != nil {
        kept.append(purpose)
      }
      guard !kept.isEmpty else { continue }
      append.events.append(
        ProposedEvent(
          .credentialsRemoved, account: account, cause: .recorded(context.position),
          data: ["purpose": .text(name)]))
      if kept.contains(Purpose.credentials), let token = forgotten(account, isEnding: false) {
        token.queue(after: .proposed(append.events.count - 1), &append.events, &append.vault)
      }
      append.vault += kept.map { .remove(account, purpose: $0) }
    }
    guard !append.events.isEmpty else { return false }
    try await commitUnlessCancelled(append)
    return true
  }
}
