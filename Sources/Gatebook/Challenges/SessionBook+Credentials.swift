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
        "This version of Gatebook cannot read the account's saved credentials for challenges.",
        kept: "The account is kept.",
        remedy:
          "Remove them with `SessionBook.removeCredentials(of:)`, then try again.")
    }
    return KeptCredentials(record: list)
  }

  /// Keeps what was given for good for an account that has no session now.
  func keep(
    _ given: [GivenCredential], of account: AccountID
  ) async throws(GatebookError) {
    guard given.contains(where: \.isPermanent) else { return }
    try await retryingOnConflict { () throws(GatebookError) in
      guard let state = try reader.state(of: account),
        let change = Self.change(
          of: account, from: try credentials(of: account), adding: given)
      else { return }
      var append = Append(
        [
          ProposedEvent(
            CredentialsSaved(purpose: "challenge"), account: account,
            cause: .recorded(state.cause))
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
    let content: Facts = ["given": kept.adding(permanent).fact]
    return .set(account, purpose: Purpose.challenges, generation: 1, content: content.encoded)
  }

  /// Removes an account's saved credentials: those that log in again automatically, those that check its
  /// password offline, and those for challenges.
  ///
  /// A running session continues.
  ///
  /// It works after a logout too: a saved refresh token is then revoked at its server, now or later. During a
  /// session it is not revoked, because some servers would end the session too.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether there was anything.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  @discardableResult
  public func removeCredentials(of account: AccountID) async throws(GatebookError) -> Bool {
    let isRemoved = try await retryingOnConflict { () throws(GatebookError) in
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
          CredentialsRemoved(purpose: name), account: account,
          cause: .recorded(context.position)))
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
