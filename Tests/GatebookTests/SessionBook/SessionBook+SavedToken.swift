import GatebookEvents

@testable import Gatebook

extension SessionBook {
  /// Saves an account's refresh token, as a login on a page does by permission.
  func saveToken(of account: AccountID) async throws {
    let session = try await requireSession(of: account)
    var append = Append([session.event(.credentialsSaved, data: ["purpose": "login"])])
    append.vault = [
      .set(account, purpose: Purpose.credentials, generation: 1, content: session.stored.encoded)
    ]
    try await commit(append)
  }

  /// What the folds know of the last login with what was saved.
  func savedUse(of account: AccountID) throws(GatebookError) -> Facts? {
    try reader.state(of: account).flatMap { Facts(decoding: $0.encoded) }?["savedUse"]?.object
  }
}

extension OpenSession {
  /// An event of this session, of any facts.
  func event(
    _ kind: EventKind, cause: ProposedEvent.Cause? = nil, data: Facts = [:], personal: Facts? = nil
  ) -> ProposedEvent {
    event(ProposedEvent(kind, data: data, personal: personal), cause: cause)
  }
}
