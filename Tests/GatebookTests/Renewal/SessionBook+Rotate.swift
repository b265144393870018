import GatebookAuthentication
import GatebookEvents

@testable import Gatebook

extension SessionBook {
  /// Renews a session as a program does that knows nothing of the account's lock.
  func rotate(_ account: AccountID) async throws {
    let session = try await requireSession(of: account)
    guard let machine = session.stored.proof.renewable?.renewal(jar: session.jar) else { return }
    let outcome = try await run(machine, in: conversation(of: session)).outcome.get()
    var stored = session.stored
    stored.proof = outcome.proof
    let generation = session.state.generation + 1
    var succeeded = RefreshSucceeded(generation: generation)
    succeeded.life = outcome.recordedLife(at: clock.now())
    var append = Append([session.event(succeeded)], precondition: session.precondition)
    append.vault = [
      .set(
        account, purpose: Purpose.session, generation: generation, content: stored.encoded)
    ]
    try await commit(append)
  }
}
