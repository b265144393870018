/// What an authorization manager needs of its book: it is another actor.
protocol AuthorizationHost: ConversationHost {
  var authorizations: Authorizations { get }

  func context(of account: AccountID) throws(GatebookError) -> SessionContext
  func trust(of account: AccountID) throws(GatebookError) -> Trust
  func liveToken(
    for scope: AuthorizationScope, of account: AccountID?
  ) throws(GatebookError) -> AccessToken?
}

extension AuthorizationHost {
  func adopt(_ manager: AuthorizationManager, for account: AccountID) {
    authorizations.adopt(manager, for: account)
  }

  func remember(_ scope: String, for resource: String, of account: AccountID) {
    authorizations.remember(scope, for: resource, of: account)
  }

  func authorizationSession(
    of account: AccountID
  ) throws(GatebookError) -> (OpenSession, MobileFirstProof)? {
    try authorizations.authorizationSession(of: account)
  }

  func registration(of account: AccountID) throws(GatebookError) -> ClientRegistration? {
    try authorizations.registration(of: account)
  }

  func record(
    _ events: [UnplacedEvent], at place: FlowContext,
    besides changes: [Append.VaultChange] = []
  ) async throws(GatebookError) {
    try await authorizations.record(events, at: place, besides: changes)
  }

  func amend(
    _ session: OpenSession, besides leaks: Set<String> = [],
    _ change: (inout OpenSession, inout MobileFirstProof) -> [UnplacedEvent]
  ) async throws(GatebookError) -> (OpenSession, MobileFirstProof) {
    try await authorizations.amend(session, besides: leaks, change)
  }

  func clear(
    _ token: AccessToken, of account: AccountID?, cause: String
  ) async throws(GatebookError) {
    try await authorizations.clear(token, of: account, cause: cause)
  }

  func keep(
    _ registration: ClientRegistration, of account: AccountID, _ event: UnplacedEvent,
    at place: FlowContext
  ) async throws(GatebookError) {
    try await authorizations.keep(registration, of: account, event, at: place)
  }

  func beginAuthorization(
    _ app: MobileFirstApp, account: AccountID?, name: String?,
    besides changes: [Append.VaultChange]
  ) async throws(GatebookError) -> LoginAttempt {
    try await authorizations.beginAuthorization(app, account: account, name: name, besides: changes)
  }

  func endAuthorization(_ attempt: LoginAttempt, _ error: GatebookError) async {
    await authorizations.endAuthorization(attempt, error)
  }

  func endAuthorization(_ attempt: LoginAttempt) async {
    await authorizations.endAuthorization(attempt)
  }

  func succeed(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ events: [UnplacedEvent],
    _ options: LoginOptions, given: [GivenCredential], accepted: [TrustException],
    bound: AccountID?, taking kept: SessionID?
  ) async throws(GatebookError) -> AccountID {
    try await authorizations.succeed(
      outcome, attempt, events, options, given: given, accepted: accepted, bound: bound,
      taking: kept)
  }

  func currentTrust(
    _ options: LoginOptions, of account: AccountID?
  ) throws(GatebookError) -> Trust {
    try authorizations.currentTrust(options, of: account)
  }

  func deliver(
    _ request: HTTPRequest, _ token: AccessToken?, _ session: OpenSession,
    _ refusals: inout Refusals
  ) async throws(GatebookError) -> Conversation.Exchanged {
    try await authorizations.deliver(request, token, session, &refusals)
  }

  func takeUpRegistration(
    for app: MobileFirstApp, by manager: AuthorizationManager
  ) async throws(GatebookError) -> GuestRegistration? {
    try await authorizations.takeUpRegistration(for: app, by: manager)
  }

  func purgeAbandonedRegistrations() async {
    await authorizations.purgeAbandonedRegistrations()
  }

  func keep(
    _ registration: ClientRegistration, at id: SessionID, isUsed: Bool,
    _ event: UnplacedEvent, at place: FlowContext, for manager: AuthorizationManager
  ) async throws(GatebookError) -> SessionID? {
    try await authorizations.keep(
      registration, at: id, isUsed: isUsed, event, at: place, for: manager)
  }

  func release(_ id: SessionID?) {
    authorizations.release(id)
  }

  func logOutUser(of account: AccountID) async throws(GatebookError) -> CheckLogout {
    try await authorizations.logOutUser(of: account)
  }

  func note(
    _ outcome: CheckLogout, _ check: String, _ flow: FlowID, of account: AccountID?,
    _ session: SessionID?
  ) async {
    await authorizations.note(outcome, check, flow, of: account, session)
  }

  func keep(
    _ given: [GivenCredential], of account: AccountID
  ) async throws(GatebookError) {
    try await authorizations.challenges.keep(given, of: account)
  }

  func conversation(of session: OpenSession) -> Conversation {
    authorizations.challenges.conversation(of: session)
  }

  func keep(
    _ conversation: Conversation, _ session: OpenSession
  ) async throws(GatebookError) {
    try await authorizations.challenges.keep(conversation, session)
  }

  func nameFingerprint(of person: Person) throws(GatebookError) -> String {
    try authorizations.ledger.nameFingerprint(of: person)
  }

  @discardableResult
  func end(
    _ context: SessionContext, reason: EndReason, cause: Position?, error: GatebookError? = nil,
    leaving left: OutboxItem? = nil
  ) async throws(GatebookError) -> Bool {
    try await authorizations.ledger.end(
      context, reason: reason, cause: cause, error: error, leaving: left)
  }

  func keptCredentials(of account: AccountID) throws(GatebookError) -> [GivenCredential] {
    try authorizations.ledger.keptCredentials(of: account)
  }

  func failure(_ error: GatebookError) -> GatebookError {
    authorizations.logins.failure(error)
  }

  func foreign(_ url: HTTPURL, _ account: AccountID?) -> GatebookError {
    authorizations.requests.foreign(url, account)
  }

  func enforceOfflineLimit(ofAccount account: AccountID?) async throws(GatebookError) {
    try await authorizations.offline.enforceOfflineLimit(ofAccount: account)
  }
}
