import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What the portal tells about the user, in every mode and release.
@Suite struct PortalAttributeTests {
  /// What only newer releases send.
  private static let newer = ["externalReferenceCode", "googleUserId", "mvccVersion"]

  @Test(arguments: [FakePortalVersion.v62, .v70, .v73], PortalMode.allCases)
  func `attributes are typed and equal in every mode and release`(
    version: FakePortalVersion, mode: PortalMode
  ) async throws {
    // 6.2 has no OAuth 2 by password.
    guard version != .v62 || mode != .oauth2Password else { return }
    let world = try await PortalWorld(version)
    let ada = try await world.logIn(mode)
    var facts = ada.user.facts
    for name in Self.newer { facts[name] = nil }
    #expect(facts.encoded == Self.expected.encoded)
    #expect((ada.user.facts["mvccVersion"] == nil) == (version == .v62))
    #expect(ada.user.names.allSatisfy { !$0.hasPrefix("reminderQuery") })
    for file in world.files() {
      #expect(!file.holds(FakePortalUser.ada.reminderQueryAnswer))
      #expect(!file.holds(FakePortalUser.ada.reminderQueryQuestion))
    }
  }

  private static let expected: Facts = [
    "agreedToTermsOfUse": true, "comments": "", "companyId": 10154, "contactId": 10202,
    "createDate": 1_413_408_478_000, "defaultUser": false,
    "emailAddress": "ada@portal.example.test", "emailAddressVerified": true, "facebookId": 0,
    "failedLoginAttempts": 0, "firstName": "Ada", "graceLoginCount": 0,
    "greeting": "Welcome Ada Example!", "jobTitle": "", "languageId": "en_US",
    "lastFailedLoginDate": .null, "lastLoginDate": 1_427_299_352_000, "lastLoginIP": "127.0.0.1",
    "lastName": "Example", "ldapServerId": -1, "lockout": false, "lockoutDate": .null,
    "loginDate": 1_427_372_894_000, "loginIP": "127.0.0.1", "middleName": "",
    "modifiedDate": 1_413_408_478_000, "openId": "", "portraitId": 14809, "screenName": "ada",
    "status": 0, "timeZoneId": "UTC", "userId": 123_456,
    "uuid": "a16f9d4a-9012-4eee-a42b-00000001e240",
  ]

  @Test func `defect 18: an id that came as a text is a number in every mode`() async throws {
    for mode in PortalMode.allCases {
      let world = try await PortalWorld(.v73)
      let ada = try await world.logIn(mode)
      for name in ["companyId", "contactId", "facebookId", "ldapServerId", "portraitId", "userId"] {
        guard case .integer? = ada.user.facts[name] else {
          Issue.record("\(name) is no number in mode \(mode).")
          continue
        }
      }
    }
  }

  @Test(arguments: PortalMode.allCases)
  func `without a company id the portal's own is learnt`(mode: PortalMode) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(world.method(mode, companyID: 0))
    #expect(ada.user["companyId"] == "10154")
    let again = try await world.logIn(mode)
    #expect(again.account == ada.account)
    #expect(try await world.book.accounts().count == 1)
  }

  @Test(arguments: PortalMode.basics + [.oauth1])
  func `a change at the portal is reported at the next proof of the session`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    world.portal.change(FakePortalUser.ada.userID) { $0.jobTitle = "Countess" }
    _ = try await world.book.restore(ada.account)
    let before = try world.kinds().count
    _ = try await world.book.send(world.call())
    #expect(try world.kinds(after: before) == ["session.verified", "attributes.changed"])
    try await check(world, ada.account)
  }

  @Test func `a change at the portal is reported at the next renewal`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.change(FakePortalUser.ada.userID) { $0.jobTitle = "Countess" }
    world.world.clock.advance(by: .seconds(900))
    let before = try world.kinds().count
    _ = try await world.book.send(world.call())
    #expect(
      try world.kinds(after: before) == [
        "refresh.started", "refresh.succeeded", "attributes.changed", "cookies.changed",
      ])
    try await check(world, ada.account)
  }

  private func check(_ world: PortalWorld, _ account: AccountID) async throws {
    #expect(try await world.book.context(of: account).user["jobTitle"] == "Countess")
    let events = try await world.book.events(after: .start)
    let change = try #require(events.last { $0.kind == "attributes.changed" })
    #expect(change.data["keys"] == .list(["jobTitle"]))
    #expect(change.data["attributes"] == nil)
    #expect(change.personal?.value?["attributes"]?.object?["jobTitle"] == "Countess")
  }
}
