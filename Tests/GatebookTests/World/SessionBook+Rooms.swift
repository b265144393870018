import GatebookAuthentication
import GatebookEvents
import GatebookStore

@testable import Gatebook

/// What tests look at in the rooms of a book.
extension SessionBook {
  var store: Result<EventStore, GatebookError> { ledger.store }
  var reader: BookReader { ledger.reader }
  nonisolated var clock: any BookClock { effects.clock }
  var isClosing: Bool { renewals.isClosing }
  var renewing: Set<AccountID> { renewals.renewing }
  var isHolding: Bool { !ledger.held.isEmpty }

  func openSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    try ledger.openSession(of: account)
  }

  func requireSession(of account: AccountID) async throws(GatebookError) -> OpenSession {
    try await renewals.requireSession(of: account)
  }

  func keeping(
    _ given: [GivenCredential], _ current: OpenSession
  ) throws(GatebookError) -> Append {
    var changed = current
    var append = try challenges.keeping(given, &changed)
    append.vault += changed.changes(since: current)
    return append
  }

  func run(
    _ machine: any Authenticator, in conversation: Conversation
  ) async -> AuthenticatorRun.Ending {
    await challenges.run(machine, in: conversation)
  }

  func failure(
    ofLoginTo account: AccountID, since seen: Position
  ) throws(GatebookError) -> GatebookError? {
    try renewals.failure(ofLoginTo: account, since: seen)
  }
}
