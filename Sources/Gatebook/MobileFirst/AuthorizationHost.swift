/// What an authorization manager needs of its book: it is another actor.
///
/// What a manager asks of the book is done in the book itself, by the extensions of this protocol.
protocol AuthorizationHost: ConversationHost {
  var ledger: Ledger { get }
  var outbox: Outbox { get }
  var logins: Logins { get }
  var offline: OfflineSessions { get }
  var logouts: Logouts { get }
  var requests: Requests { get }
  var authorizations: Authorizations { get }

  func context(of account: AccountID) throws(GatebookError) -> SessionContext
  func trust(of account: AccountID) throws(GatebookError) -> Trust
  func liveToken(
    for scope: AuthorizationScope, of account: AccountID?
  ) throws(GatebookError) -> AccessToken?
}

extension AuthorizationHost {
  func nameFingerprint(of person: Person) throws(GatebookError) -> String {
    try ledger.nameFingerprint(of: person)
  }

  func keptCredentials(of account: AccountID) throws(GatebookError) -> [GivenCredential] {
    try ledger.keptCredentials(of: account)
  }

  /// Ends a session in which its server has named somebody else.
  func endSession(ofOtherUser context: SessionContext) async throws(GatebookError) {
    try await ledger.end(
      context, reason: .identityMismatch, cause: nil, error: Authorizations.otherUserInSession)
  }

  func conversation(of session: OpenSession) -> Conversation {
    challenges.conversation(of: session)
  }

  func keep(
    _ conversation: Conversation, _ session: OpenSession
  ) async throws(GatebookError) {
    try await challenges.keep(conversation, session)
  }

  func keep(_ given: [GivenCredential], of account: AccountID) async throws(GatebookError) {
    try await challenges.keep(given, of: account)
  }

  func foreign(_ url: HTTPURL, _ account: AccountID?) -> GatebookError {
    requests.foreign(url, account)
  }

  func enforceOfflineLimit(ofAccount account: AccountID?) async throws(GatebookError) {
    try await offline.enforceOfflineLimit(ofAccount: account)
  }
}
