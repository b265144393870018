import GatebookAuthentication
import GatebookEvents
import GatebookFakes
import GatebookStore
import GatebookTestSupport
import Testing

@testable import Gatebook

extension Situation {
  /// Sessions that ended.
  static let endings = [
    Situation("A logout by a policy of the app") {
      let stage = try await Tokens()
      try await stage.book.logOut(stage.ada, byPolicy: true)
      return try await stage.book.told(stage.ada)
    },
    Situation("A renewal answered for another user") {
      let party = try await RelyingParty()
      let ada = try await party.logIn().get()
      party.server.settings.subject = "another"
      _ = try? await party.book.renewNow(ada.account)
      return try await party.book.told(ada.account)
    },
    Situation("A renewal answered by another issuer") {
      let party = try await RelyingParty()
      let ada = try await party.logIn().get()
      party.server.settings.changes[.claims] = ["iss": "\"https://other.example\""]
      _ = try? await party.book.renewNow(ada.account)
      return try await party.book.told(ada.account)
    },
    Situation("A refusal without an error code") {
      let stage = try await Tokens()
      stage.server.settings.answer = HTTPReply(status: 400)
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A rejected token and a failed login with the saved password") {
      let stage = try await Tokens(options: .saved)
      stage.server.forgetRefreshTokens()
      stage.server.settings.passwordAnswer = HTTPReply(status: 503)
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A missing session secret") {
      let stage = try await Tokens()
      try await stage.book.dropSecret(of: stage.ada)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A missing session secret before the next use") {
      let stage = try await Tokens()
      try await stage.book.dropSecret(of: stage.ada)
      return try await stage.book.told(stage.ada)
    },
    Situation("A new login that replaced the session") {
      let stage = try await Tokens()
      _ = try await stage.book.logIn(stage.server.method())
      return try await stage.book.told(stage.ada)
    },
    Situation("A gateway that ended the session") {
      let world = try await GatewayWorld()
      let ada = try await world.book.logIn(world.login())
      let session = try await world.book.gatewaySession(of: ada.account)
      _ = try await world.book.gatewaySessionRevoked(session)
      return try await world.book.told(ada.account)
    },
    Situation("A logout that the server was not told yet") {
      let world = try await PortalWorld()
      let ada = try await world.logInRevocably()
      world.portal.inject(.status(503, retryAfter: nil), on: .revoke, times: nil)
      _ = try await world.book.logOut(ada.account)
      return try await world.book.told(ada.account)
    },
    Situation("A logout that the server was told later") {
      let world = try await PortalWorld()
      let ada = try await world.logInRevocably()
      world.portal.inject(.status(503, retryAfter: nil), on: .revoke, times: 1)
      _ = try await world.book.logOut(ada.account)
      world.world.clock.advance(by: .seconds(100))
      _ = try await world.book.sync()
      return try await world.book.told(ada.account)
    },
  ]
}

extension SessionBook {
  /// Takes a session's secret from the vault, as damage would.
  fileprivate func dropSecret(of account: AccountID) async throws {
    let session = try await requireSession(of: account)
    var append = Append([session.event(.cookiesChanged, data: ["cookies": .list([])])])
    append.vault = [.remove(account, purpose: Purpose.session)]
    try await commit(append)
  }
}
