/// How a login begins, succeeds and fails: each in one place.
final class Logins {
  let ledger: Ledger
  let documents: Documents
  let challenges: Challenges
  let outbox: Outbox
  /// Hears how logins end.
  var loginDelegate: (any LoginDelegate)?
  /// Logins under way in this process.
  var loggingIn: Set<Person> = []

  init(_ ledger: Ledger, _ documents: Documents, _ challenges: Challenges, _ outbox: Outbox) {
    self.ledger = ledger
    self.documents = documents
    self.challenges = challenges
    self.outbox = outbox
  }

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

  /// Tells the delegate of a login, once nothing that the delegate may use waits for it.
  ///
  /// - Returns: The login's context.
  func told(_ loggedIn: LoggedIn) async -> SessionContext {
    await tell(loggedIn.news)
    return loggedIn.context
  }

  /// Tells the delegate where a login fails.
  func tellingFailure<Value>(
    _ work: () async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    do throws(GatebookError) {
      return try await work()
    } catch {
      await tell([.failed(error)])
      throw error
    }
  }

  /// Tells the delegate what has happened, in this order; nothing else calls it.
  func tell(_ news: [LoginNews]) async {
    guard let loginDelegate, !news.isEmpty else { return }
    // In a task of its own: what the delegate does is not cancelled with the caller.
    await startTask {
      for item in news {
        switch item {
        case .response(let context): await loginDelegate.onLoginResponse(context)
        case .saved(let context): await loginDelegate.onCredentialsSaved(context)
        case .failed(let error): await loginDelegate.onLoginError(error)
        case .loaded(let context): await loginDelegate.onCredentialsLoaded(context)
        }
      }
    }.value
  }

  /// What checks a login's password offline, where the person allows it with this login or has
  /// allowed it before.
  ///
  /// - Parameters:
  ///   - method: The login's method.
  ///   - account: The account that the typed name leads to.
  ///   - options: What the person allows.
  /// - Returns: `nil` where nothing is to be kept, or the machine has not the memory for the work:
  ///   a login does not fail for that.
  /// - Throws: A storage failure.
  func offlineVerifier(
    for method: LoginMethod, of account: AccountID?, _ options: LoginOptions
  ) async throws(GatebookError) -> OfflineVerifier? {
    guard let password = method.password else { return nil }
    var isAllowed = options.saveCredentials
    if !isAllowed, let account { isAllowed = try ledger.hasOfflineVerifier(account) }
    guard isAllowed else { return nil }
    return await OfflineVerifier.make(of: password, salt: ledger.random.bytes(16))
  }
}
