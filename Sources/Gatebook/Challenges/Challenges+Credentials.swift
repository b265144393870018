extension Challenges {
  /// Keeps what was given for good for an account that has no session now.
  func keep(
    _ given: [GivenCredential], of account: AccountID
  ) async throws(GatebookError) {
    guard given.contains(where: \.isPermanent) else { return }
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      guard let state = try ledger.reader.state(of: account),
        let change = Self.change(
          of: account, from: try ledger.credentials(of: account), adding: given)
      else { return }
      let saved = ProposedEvent(
        CredentialsSaved(purpose: "challenge"), account: account, cause: .recorded(state.cause))
      try await ledger.commit(
        Append([saved], precondition: .revision(account, state.revision), vault: [change]))
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
}
