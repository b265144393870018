import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 11 with ID tokens: what a provider says counts by its own clock, however far that is off.
@Suite struct ProviderClockTests {
  private static let offsets = [Duration.seconds(3600), .seconds(-3600), .seconds(86_400)]

  private func party(_ ahead: Duration) async throws -> RelyingParty {
    let party = try await RelyingParty { $0.signsUserInfo = true }
    party.clock.ahead.value = ahead
    // The page about the person says when it was made, too.
    let seconds = party.clock.now().wall.rawValue / 1_000_000
    party.server.settings.changes[.userInfo] = [
      "iat": "\(seconds)", "exp": "\(seconds + 60_000)", "iss": "\"\(party.server.issuer)\"",
    ]
    return party
  }

  @Test(arguments: offsets)
  func `a login, a refresh and a proof hold`(_ ahead: Duration) async throws {
    let party = try await party(ahead)
    let ada = try await party.logIn().get()
    #expect(ada.user["email"] == "ada@example.test")
    #expect(ada.expiresAt == party.world.clock.now().wall + .seconds(600))
    let notes = HTTPRequest.get(try #require(HTTPURL("\(party.server.url)/notes")))
    for _ in 1...3 {
      party.world.clock.advance(by: .seconds(500))
      #expect(try await party.book.send(notes).status == 200)
      #expect(try await party.book.context(of: ada.account).state == .active)
    }
    _ = try await party.book.restore(ada.account)
    #expect(try await party.book.sync().failures.isEmpty)
    #expect(try await party.book.context(of: ada.account).state == .active)
    #expect(try await party.book.context(of: ada.account).user == ada.user)
  }

  @Test(arguments: offsets)
  func `an ID token of a refresh is read by that clock: another user's is seen`(
    _ ahead: Duration
  ) async throws {
    let party = try await party(ahead)
    let ada = try await party.logIn().get()
    party.server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await party.book.renewNow(ada.account)
    }
  }

  @Test(arguments: offsets)
  func `a clock that is put right between login and refresh ends no session`(
    _ ahead: Duration
  ) async throws {
    let party = try await party(ahead)
    let ada = try await party.logIn().get()
    party.clock.ahead.value = .zero
    party.server.settings.changes = [:]
    #expect(try await party.book.renewNow(ada.account))
    #expect(try await party.book.context(of: ada.account).state == .active)
    _ = try await party.book.restore(ada.account)
    #expect(try await party.book.sync().failures.isEmpty)
    #expect(try await party.book.context(of: ada.account).state == .active)
    #expect(try await party.logIn().get().account == ada.account)
  }

  @Test(arguments: offsets)
  func `what is over by the provider's own clock is over`(_ ahead: Duration) async throws {
    let party = try await party(ahead)
    let now = party.clock.now().wall.rawValue / 1_000_000
    for (claims, reason) in [
      (["exp": "\(now - 61)"], "exp"), (["iat": "\(now + 61)"], "iat in the future"),
    ] {
      party.server.settings.changes[.claims] = claims
      guard case .failure(let error) = try await party.logIn() else {
        Issue.record("It was let in.")
        continue
      }
      #expect(error.cause == "ID token: \(reason)", "\(error)")
    }
  }

  @Test(arguments: [FakeIdentitySettings.ClientProof.privateKey, .none], offsets)
  func `what the application signs is made by that clock, from the first login on`(
    _ proof: FakeIdentitySettings.ClientProof, _ ahead: Duration
  ) async throws {
    let party = try await RelyingParty {
      $0.clientProof = proof
      $0.bindsTokens = proof == .none
    }
    party.clock.ahead.value = ahead
    var application = RelyingParty.application(
      proof == .none ? .none : try .privateKey(Secret(FakeIdentityServer.clientKeyPEM)))
    application.bindsTokens = proof == .none
    let ada = try await party.logIn(application).get()
    #expect(try await party.book.renewNow(ada.account))
  }
}
