@testable import Gatebook

extension SessionBook {
  /// Records that a renewal begins, as a process does that dies before its request leaves.
  func leaveIntent(of account: AccountID) async throws {
    let session = try await requireSession(of: account)
    try await commit(
      Append([
        session.event(
          .refreshStarted,
          data: [
            "attempt": 1, "deadline": .integer((clock.now().wall + .seconds(30)).rawValue),
            "fingerprint": .optional(
              session.stored.proof.tokenBearing == nil ? nil : "00112233445566778899aabbccddeeff"),
            "generation": 2, "trigger": "needed",
          ])
      ]))
  }
}
