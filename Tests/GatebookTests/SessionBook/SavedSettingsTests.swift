import Gatebook
import GatebookFakes
import Testing

/// What a login was asked with is kept for every method, beyond the session and the logout.
@Suite struct SavedSettingsTests {
  @Test(arguments: PortalMode.allCases)
  func `each mode of a portal is remembered over logout and restart, without a secret`(
    _ mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.origins = [Origin(scheme: "https", host: "other.example", port: 443)]
    options.offlineLimit = .seconds(90)
    options.notes = ["client-secret-file": "/etc/app.secret"]
    let account = try await world.logIn(mode, options: options).account
    let known = try #require(try await world.book.savedSettings(of: account))
    #expect(known.method == mode.method)
    #expect(known.values["portal"]?.object?["server"] != nil)
    #expect((known.user == nil) == mode.opensPage)
    #expect((known.values["redirectURI"]?.text == PortalWorld.callback) == mode.opensPage)
    options.account = account
    #expect(known.options == options)
    let text = String(decoding: known.values.encoded, as: UTF8.self)
    let secrets = [
      FakePortalUser.ada.password, FakePortalConsumer.sample.secret,
      try #require(FakePortalApplication.confidential.secret),
    ]
    for secret in secrets + world.portal.secretsIssued { #expect(!text.contains(secret)) }
    _ = try await world.book.logOut(account, forgettingCredentials: true)
    #expect(try await world.book.savedSettings(of: account) == known)
    _ = try await world.book.erase(account)
    #expect(try await world.book.savedSettings(of: account) == nil)
  }

  @Test func `what a provider publishes of itself is none of what its login was asked with`()
    async throws
  {
    let party = try await RelyingParty { $0.clientProof = .basic }
    let secret = FakeIdentityServer.secret
    let account = try await party.logIn(
      RelyingParty.application(.secret(Secret(secret)), signed: ["ES256", "RS256"])
    ).get().account
    let settings = try #require(try await party.book.savedSettings(of: account))
    #expect(settings.method == "oidc")
    #expect(settings.values["issuer"]?.text == party.server.issuer)
    #expect(settings.values["clientAuth"] == "listed")
    #expect(settings.values["flow"] == "code")
    #expect(settings.values["server"]?.object?.isEmpty == true)
    #expect(settings.values["algorithms"]?.list == ["ES256", "RS256"])
    #expect(settings.values["redirectURI"]?.text == RelyingParty.callback)
    #expect(!String(decoding: settings.values.encoded, as: UTF8.self).contains(secret))
  }

  @Test func `credentials that were removed are not saved again by the same options`()
    async throws
  {
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let account = try await world.book.logIn(world.login(), options: options).account
    #expect(try await world.book.savedSettings(of: account)?.options.saveCredentials == true)
    _ = try await world.book.logOut(account)
    #expect(try await world.book.savedSettings(of: account)?.options.saveCredentials == true)
    try await world.book.removeCredentials(of: account)
    #expect(try await world.book.savedSettings(of: account)?.options.saveCredentials == false)
  }

  @Test func `settings that were kept without options are read with the usual ones`() throws {
    let account = AccountID(high: 1, low: 2)
    let record: Facts = ["method": "fcsdk", "settings": .object(["gateway": .object([:])])]
    let settings = try #require(SavedSettings(record.encoded, of: account, trust: .system))
    var options = LoginOptions()
    options.account = account
    #expect(settings.options == options)
    #expect(SavedSettings([1, 2], of: account, trust: .system) == nil)
  }
}
