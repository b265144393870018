extension Logins {
  /// The conversation of a login that has begun; where there can be none, the login has failed.
  func begunConversation(
    of attempt: LoginAttempt, _ options: LoginOptions
  ) async throws(GatebookError) -> Conversation {
    do throws(GatebookError) {
      return try challenges.conversation(of: attempt, options)
    } catch {
      _ = await uncancelled { await self.record(error, attempt, []) }
      throw failure(error)
    }
  }

  func knownAccount(_ person: Person) throws(GatebookError) -> AccountID? {
    guard !person.loginName.isEmpty else { return nil }
    // Where the server names nobody the name is the user's id: what others are called is no match.
    if let account = try ledger.reader.account(ofUser: person) { return account }
    return try ledger.reader.account(ofName: person)
  }

  func begin(
    _ method: LoginMethod, of required: AccountID?
  ) async throws(GatebookError) -> LoginAttempt {
    let session = try ledger.newSession()
    let person = method.person
    let account = try knownAccount(person)
    var attempt = LoginAttempt(
      session: session, started: .start, account: account, required: required, typed: person)
    var login = LoginStarted(
      isInteractive: true, method: method.name, server: person.server.description)
    var personal: LoginStarted.Personal?
    if !person.loginName.isEmpty {
      // What another user is called is none of the account's personal facts.
      if account == nil || account != attempt.stream {
        login.name = try ledger.nameFingerprint(of: person)
      } else {
        personal = LoginStarted.Personal(user: person.loginName)
      }
    }
    let event = ProposedEvent(
      login, account: attempt.stream, session: session, personal: personal?.facts)
    let receipt = try await ledger.commit(Append([event]))
    attempt.started = receipt.first
    return attempt
  }

  static let underWay = GatebookError(
    .loginInProgress, "A login of this user is already running.",
    remedy: "Wait until it has finished.")
}
