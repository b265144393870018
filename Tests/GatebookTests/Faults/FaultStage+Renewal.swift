import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension FaultStage {
  /// Says how the server takes a refresh token that comes again.
  ///
  /// - Parameter hasGrace: Whether it answers as it did the first time, or refuses.
  func setGrace(_ hasGrace: Bool) {
    switch server {
    case let server as FakeIdentityServer: server.settings.hasGrace = hasGrace
    case let portal as FakeLiferayPortal:
      portal.switches.refreshTokenGrace = hasGrace ? .seconds(100_000) : .zero
    default: Issue.record("This server rotates nothing.")
    }
  }

  /// Lets the server forget the access tokens and sessions, but not the refresh tokens, without
  /// telling the client.
  func forget() {
    switch server {
    case let server as FakeIdentityServer: server.endTokens()
    case let portal as FakeLiferayPortal:
      portal.endSessions()
      // Access tokens are over by the portal's own clock.
      portal.advance(by: .seconds(600))
    case let server as FakeMobileFirstServer: server.revokeTokens()
    case let sessions as FormSessions: sessions.withLock { $0 = $0.map { _ in "" } }
    default: Issue.record("This server forgets nothing.")
    }
  }

  /// The refresh tokens that were received, in their order.
  func refreshes() -> [String] {
    received().filter { $0.method == "POST" }
      .compactMap { FormFields(decoding: $0.body)?["refresh_token"] }
  }
}
