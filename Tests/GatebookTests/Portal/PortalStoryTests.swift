import Gatebook
import GatebookFakes
import Testing

@Suite struct PortalStoryTests {
  @Test func `cookie mode reads documents, Basic does not`() async throws {
    let world = try await PortalWorld()
    let document = HTTPRequest.get(try world.url("/documents/1"))
    let ada = try await world.book.logIn(world.cookie())
    #expect(ada.user["firstName"] == "Ada")
    #expect(try await world.book.send(document, as: ada.account).status == 200)
    let ben = try await world.book.logIn(world.basic(.ben))
    #expect(try await world.book.send(document, as: ben.account).status == 403)
  }

  @Test(arguments: [FakePortalVersion.v62, .v70, .v73])
  func `attributes are the same in type and value from every release`(
    version: FakePortalVersion
  ) async throws {
    let world = try await PortalWorld(version)
    let method = LoginMethod.liferay(
      try world.liferay(version == .v62 ? .v62 : .v7),
      .basic(.screenName("ada"), password: Secret(FakePortalUser.ada.password)))
    let ada = try await world.book.logIn(method)
    #expect(ada.user.facts["userId"] == 123_456)
    #expect(ada.user.facts["companyId"] == 10154)
    #expect(ada.user["reminderQueryAnswer"] == nil)
    #expect(ada.method == "liferay-basic")
  }

  @Test func `one user is one account in every mode`() async throws {
    let world = try await PortalWorld()
    let basic = try await world.book.logIn(world.basic())
    let cookie = try await world.book.logIn(world.cookie())
    #expect(basic.account == cookie.account)
  }

  @Test func `a restart continues with the same cookies`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    await world.book.close()
    let second = try await world.world.open(world.transport)
    _ = try await second.restore(ada.account)
    let reply = try await second.send(.get(world.url("/documents/1")), as: ada.account)
    #expect(reply.status == 200)
    #expect(world.logins() == 1)
    #expect(try await second.context(of: ada.account).state == .active)
  }

  @Test func `no secret and nothing personal is in the clear`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    _ = try await world.book.send(.get(world.url("/documents/1")), as: ada.account)
    _ = try? await world.book.logIn(
      .liferay(
        world.liferay(),
        .basic(.email(FakePortalUser.ben.emailAddress), password: Secret("no-such-word"))))
    let user = FakePortalUser.ada
    var canaries = world.portal.secretsIssued + ["no-such-word", user.password]
    canaries += [user.emailAddress, user.lastName, user.reminderQueryAnswer, "Welcome Ada"]
    canaries.append(FakePortalUser.ben.emailAddress)
    for name in ["", "-wal", "-shm", "-lock"] {
      let bytes = TestFile.read(world.world.path + name)
      for canary in canaries { #expect(!bytes.holds(canary), "\(canary) in the book\(name)") }
    }
  }
}
