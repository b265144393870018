@testable import Gatebook

extension SessionBook {
  /// Records what older versions recorded after two unclear refusals of a refresh token: that
  /// automatic renewal is off.
  func leaveHalted(_ account: AccountID) async throws {
    let session = try await requireSession(of: account)
    try await commit(
      Append([
        session.event(
          .refreshStarted,
          data: [
            "attempt": 1, "deadline": .integer((clock.now().wall + .seconds(30)).rawValue),
            "fingerprint": "00112233445566778899aabbccddeeff", "generation": 2, "trigger": "needed",
          ]),
        session.event(
          .refreshDeferred, cause: .proposed(0),
          data: ["code": "server.refused", "generation": 2, "halted": true, "status": 403]),
      ]))
  }

  /// Logs in on a page.
  func logIn(
    _ method: LoginMethod, by redirect: @Sendable (PendingLogin) throws -> String,
    _ options: LoginOptions
  ) async throws -> SessionContext {
    let pending = try await beginLogIn(method, options: options)
    return try await finishLogIn(redirect: redirect(pending))
  }
}
