import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What the original did wrong (Liferay client modes, section 12) and Gatebook must not.
@Suite struct PortalDefectTests {
  @Test func `defect 1: a login that fails keeps the session that was there`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.basic())
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logIn(
        .liferay(
          world.liferay(),
          .basic(.email(FakePortalUser.ada.emailAddress), password: Secret("wrong"))))
    }
    #expect(error?.code == .credentialsRefused)
    #expect(try await world.book.context(of: ada.account) == ada)
  }

  @Test func `defect 2: a second step that fails leaves session and saved credentials`()
    async throws
  {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await world.book.logIn(world.cookie(), options: options)
    world.portal.inject(.status(503), on: .invoke)
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logIn(world.cookie())
    }
    #expect(error?.code == .serverUnavailable)
    #expect(try await world.book.context(of: ada.account) == ada)
    #expect(try !world.world.kinds().contains("credentials.removed"))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
  }

  @Test func `defects 3 and 4: a cookie lives 900 s and is renewed before it ends`() async throws {
    let world = try await PortalWorld()
    _ = try await world.book.logIn(world.cookie())
    world.world.clock.advance(by: .seconds(839))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    #expect(world.logins() == 1)
    world.world.clock.advance(by: .seconds(1))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    #expect(world.logins() == 2)
    let kinds = try world.world.kinds()
    #expect(kinds.contains("refresh.started"))
    #expect(kinds.contains("refresh.succeeded"))
    #expect(try await world.book.currentContext()?.generation == 2)
  }

  @Test func `defect 5: a page without a token ends the login with an error`() async throws {
    let world = try await PortalWorld()
    world.portal.switches.omitsToken = true
    await #expect(throws: GatebookError.self) { try await world.book.logIn(world.cookie()) }
    #expect(try world.world.kinds().last == "login.failed")
  }

  @Test func `defect 5: a second challenge is asked like the first and hangs nobody`()
    async throws
  {
    let resolver = ScriptedResolver(.useCredential(.wrong()), last: .useCredential(.wrong()))
    let world = try await PortalWorld.gated(.basic, resolver)
    let method = try world.method(.cookie)
    await expect(.limitExceeded) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(Array(resolver.challenges.map(\.previousFailureCount).prefix(3)) == [0, 1, 2])
    #expect(try world.kinds().last == "login.failed")
  }

  @Test func `defect 6: accounts have their own cookies, and a logout ends only one`() async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie(.ada))
    let ben = try await world.book.logIn(world.cookie(.ben))
    let document = HTTPRequest.get(try world.url("/documents/1"))
    for account in [ada, ben, ada] {
      #expect(try await world.book.send(document, as: account.account).status == 200)
    }
    let users = world.portal.requests(to: .documents).map(\.userID)
    #expect(users == [123_456, 123_457, 123_456])
    _ = try await world.book.logOut(ada.account)
    #expect(world.portal.requests(to: .logout).count == 1)
    #expect(try await world.book.send(document, as: ben.account).status == 200)
  }

  @Test func `defect 7: after a renewal that failed nothing is sent as a guest`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    world.world.clock.advance(by: .seconds(900))
    world.portal.inject(.status(503), on: .login)
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.send(.get(world.url("/documents/1")))
    }
    #expect(error?.code == .serverUnavailable)
    #expect(world.portal.requests(to: .documents).isEmpty)
    #expect(try await world.book.context(of: ada.account).state == .active)
    // The password is not sent again at once.
    world.world.clock.advance(by: .seconds(1))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
  }

  @Test func `defect 11: a portal that hangs holds up nobody else`() async throws {
    let hung = try await PortalWorld()
    let ada = try await hung.book.logIn(hung.basic())
    let other = try FakeLiferayPortal(clock: hung.world.clock)
    try other.start()
    hung.portal.inject(.stallBeforeActing, on: .documents)
    let document = HTTPRequest.get(try hung.url("/documents/1"))
    let waiting = Task { try await hung.book.send(document, as: ada.account) }
    _ = await hung.portal.requests(atLeast: hung.portal.requests.count + 1)
    let ben = FakePortalUser.ben
    let elsewhere = try await hung.book.logIn(
      .liferay(
        LiferayPortal(server: try #require(HTTPURL(other.url)), companyID: 10154),
        .basic(.email(ben.emailAddress), password: Secret(ben.password))))
    #expect(elsewhere.state == .active)
    hung.portal.stop()
    await #expect(throws: GatebookError.self) { try await waiting.value }
    #expect(try await hung.book.context(of: ada.account).state == .active)
  }

  @Test func `defect 12: a refusal inside the window is answered by one login and one more try`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    world.portal.endSessions(of: 123_456)
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    #expect(world.logins() == 2)
    #expect(world.portal.requests(to: .documents).count == 2)
    #expect(try await world.book.context(of: ada.account).generation == 2)
  }

  @Test func `defect 13: one server holds many accounts, each with its own way to log in`()
    async throws
  {
    let world = try await PortalWorld()
    _ = try await world.book.logIn(world.cookie(.ada))
    _ = try await world.book.logIn(world.basic(.ben))
    _ = try await world.book.logIn(world.basic(.cleo))
    let again = try await world.world.open(world.transport)
    let methods = try await again.accounts().map(\.method)
    #expect(methods == ["liferay-cookie", "liferay-basic", "liferay-basic"])
  }

  @Test(arguments: PortalMode.allCases)
  func `defect 13: a login by another mode leaves nothing of the former one`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let former = try await world.logIn(mode == .cookie ? .oauth2Password : .cookie)
    let ada = try await world.logIn(mode)
    #expect(ada.account == former.account)
    let again = try await world.world.open(world.transport)
    #expect(try await again.restore(ada.account).method == mode.method)
    #expect(try await again.send(world.call(), as: ada.account).status == 200)
    let last = try #require(world.portal.requests.last)
    #expect(last.scheme == mode.scheme)
    #expect((last.request.fields["Cookie"] != nil) == (mode == .cookie))
    #expect((last.request.fields["X-CSRF-Token"] != nil) == (mode == .cookie))
    #expect((last.request.fields["Authorization"] == nil) == (mode == .cookie))
  }

  @Test func `defect 16: a network error keeps its cause`() async throws {
    let world = try await PortalWorld()
    world.portal.stop()
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logIn(world.basic())
    }
    #expect(error?.code == .networkUnreachable)
    #expect(error?.cause?.contains("libcurl 7") == true)
  }

  @Test(arguments: PortalMode.allCases)
  func `defect 17: a password of any characters arrives as it is`(mode: PortalMode) async throws {
    let world = try await PortalWorld()
    var user = FakePortalUser.ada
    user.password = "&=+%25 %zz#?;ä€𝄞\"\\'"
    world.portal.users = [user]
    #expect(try await world.logIn(mode, user).state == .active)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `defect 19: every redirect of a web service says that it has moved`(
    status: Int
  ) async throws {
    let world = try await PortalWorld()
    world.portal.inject(.redirect(to: "/elsewhere", status: status), on: .invoke)
    let error = await #expect(throws: GatebookError.self) { try await world.logIn(.email) }
    #expect(error?.code == .serverMoved)
    #expect(error?.status == status)
  }
}
