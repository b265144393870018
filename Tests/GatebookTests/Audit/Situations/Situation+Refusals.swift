import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  /// What came from somewhere and was refused, with the reason.
  static let refusals = [
    Situation("An ID token with a wrong signature") {
      try await refused { $0.signature = .spoilt }
    },
    Situation("An ID token that was issued for another client") {
      try await refused { $0.changes[.claims] = ["aud": #""other""#] }
    },
    Situation("An ID token of another login") {
      try await refused { $0.changes[.claims] = ["nonce": #""another""#] }
    },
    Situation("An ID token that has expired") {
      try await refused { $0.changes[.claims] = ["exp": "1"] }
    },
    Situation("A server with a different issuer") {
      try await refused { $0.changes[.metadata] = ["issuer": #""https://other.example""#] }
    },
    Situation("A redirect that does not belong to any login") {
      let world = try TestBook()
      let book = try await world.open(RedirectServer().transport)
      let pending = try await book.beginLogIn(.redirect())
      _ = try? await book.finishLogIn(redirect: "\(pending.redirectURI)?code=x&state=nobody")
      return try await book.told()
    },
    Situation("A renewal in a stopped process") {
      let stage = try await Tokens()
      stage.server.advance(601)
      await stage.server.gate.shut()
      let renewal = Task { try? await stage.book.token() }
      await stage.server.gate.arrival()
      let reader = try BookReader.open(at: stage.world.path)
      let explanation = try reader.why(stage.ada, at: stage.world.clock.now())
      await stage.server.gate.open()
      _ = await renewal.value
      return Told(try #require(explanation))
    },
  ]

  private static func refused(
    _ change: @Sendable (inout FakeIdentitySettings) -> Void
  ) async throws -> Told {
    let party = try await RelyingParty()
    change(&party.server.settings)
    _ = try await party.logIn()
    return try await party.book.told(last: .loginFailed)
  }
}
