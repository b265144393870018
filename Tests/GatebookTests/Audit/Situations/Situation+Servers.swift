import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  private struct Accepting: ChallengeResolver {
    func resolve(_ challenge: Challenge) async -> ChallengeDecision { .acceptCertificate }
  }

  /// Whom the account trusts, and what servers ask for besides.
  static let servers = [
    Situation("A certificate that was rejected") {
      let world = try await GatewayWorld(tls: LoopbackTLS(FakeGatewayCertificates().selfSigned))
      _ = try? await world.book.logIn(secure(world))
      return try await world.book.told(last: .loginFailed)
    },
    Situation("A certificate that was accepted and revoked") {
      let world = try await GatewayWorld(tls: LoopbackTLS(FakeGatewayCertificates().selfSigned))
      await world.book.register(Accepting())
      let ada = try await world.book.logIn(secure(world)).account
      await world.book.removeResolver()
      let key = try #require(
        try await world.book.savedSettings(of: ada)?.trust.exceptions.first?.key)
      try await world.book.revokeTrust(of: ada, key: key)
      _ = try? await world.book.send(.get(world.url("/csdk-sample/x")), as: ada)
      return try await world.book.told(ada)
    },
    Situation("A stronger login that is demanded") {
      let stage = try await Tokens()
      let wanting = try await stage.world.open(
        ScriptedTransport { request, route throws(TransportFailure) in
          guard request.url.path == "/data" else {
            return try await stage.server.transport.send(request, through: route)
          }
          let demand = #"Bearer error="insufficient_user_authentication", acr_values="gold""#
          return HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", demand)])
        })
      _ = try? await wanting.send(stage.server.page(), as: stage.ada)
      return try await wanting.told(stage.ada)
    },
    Situation("A server that changed its endpoint URLs") {
      let party = try await RelyingParty()
      let ada = try await party.logIn().get()
      party.server.settings.changes[.metadata] = [
        "revocation_endpoint": "\"\(party.server.url)/revoke?2\""
      ]
      party.world.clock.advance(by: .seconds(4000))
      _ = try await party.book.renewNow(ada.account)
      return try await party.book.told(last: .discoveryChanged)
    },
    Situation("Another account becomes the current one") {
      let world = try await PortalWorld()
      let ada = try await world.logIn(.email)
      _ = try await world.logIn(.email, .ben)
      try await world.book.switchAccount(to: ada.account)
      return try await world.book.told(last: .accountSwitched)
    },
    Situation("Saved credentials that were removed") {
      let stage = try await Tokens(options: .saved)
      try await stage.book.removeCredentials(of: stage.ada)
      stage.server.forgetRefreshTokens()
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
  ]

  private static func secure(_ world: GatewayWorld) throws -> LoginMethod {
    .fcsdk(
      try world.settings(secure: true), user: FakeGatewayUser.ada.username,
      password: Secret(FakeGatewayUser.ada.password))
  }
}
