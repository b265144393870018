import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct PortalModeTests {
  @Test(arguments: PortalMode.allCases)
  func `each mode logs in, comes back without the portal, calls, and logs out`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    #expect(ada.state == .active)
    #expect(ada.method == mode.method)
    #expect(ada.user["firstName"] == "Ada")
    #expect(try world.kinds() == ["book.created"] + mode.loginKinds)
    await world.book.close()
    world.portal.stop()

    let again = try await world.world.open(world.transport)
    let call = try world.call()
    let sent = world.portal.requests.count
    let restored = try await again.restore(ada.account)
    #expect(restored.state == .offline(lastVerified: world.world.clock.now().wall))
    #expect(restored.user == ada.user)
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await again.send(call, as: ada.account)
    }
    #expect(try await again.context(of: ada.account) == restored)
    #expect(world.portal.requests.count == sent)

    try world.portal.start()
    #expect(try await again.send(call, as: ada.account).status == 200)
    #expect(world.portal.requests.last?.userID == FakePortalUser.ada.userID)
    #expect(world.portal.requests.last?.scheme == mode.scheme)
    #expect(try await again.context(of: ada.account).state == .active)

    #expect(try await again.logOut(ada.account).state == .ended(.user))
    #expect(world.portal.requests(to: .logout).count == (mode == .cookie ? 1 : 0))
    let all = world.portal.requests.count
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await again.send(call, as: ada.account)
    }
    #expect(world.portal.requests.count == all)
    #expect(
      try world.kinds() == ["book.created"] + mode.loginKinds + ["session.restored"]
        + mode.resumptionKinds + ["logout.requested", "logout.completed"])
  }

  @Test(arguments: PortalMode.allCases)
  func `the same user is the same account in every mode`(mode: PortalMode) async throws {
    let world = try await PortalWorld()
    let first = try await world.logIn(.screenName)
    let second = try await world.logIn(mode)
    #expect(first.account == second.account)
    #expect(second.generation == 1)
    #expect(second.method == mode.method)
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(world.portal.requests.last?.scheme == mode.scheme)
  }

  @Test(arguments: PortalMode.basics + [.oauth1])
  func `a session that cannot be renewed ends when the portal refuses it`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    world.portal.change(FakePortalUser.ada.userID) { $0.password = "another one" }
    world.portal.revokeTokens()
    let before = try world.kinds().count
    _ = try? await world.book.send(world.call())
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.refused))
    #expect(context.user == ada.user)
    #expect(try world.kinds(after: before) == ["session.ended"])
  }

  @Test(arguments: [PortalMode.cookie] + PortalMode.tokens)
  func `a session that was refused after a restart is renewed`(mode: PortalMode) async throws {
    let world = try await PortalWorld()
    world.portal.switches.omitsExpiresIn = true
    let ada = try await world.logIn(mode)
    _ = try await world.book.restore(ada.account)
    world.portal.endSessions()
    // The portal's clock alone: nothing tells the book that the token has ended.
    world.portal.advance(by: .seconds(601))
    let before = try world.kinds().count
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(try await world.book.context(of: ada.account).state == .active)
    #expect(
      try Array(world.kinds(after: before).prefix(2)) == ["refresh.started", "refresh.succeeded"])
  }

  @Test(arguments: PortalMode.tokens)
  func `a logout takes the tokens back where the portal can, the refresh token first`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    world.portal.switches.hasRevocation = true
    var options = PortalOptions()
    options.paths.revoke = "o/oauth2/revoke"
    let ada = try await world.logIn(world.method(mode, options: options))
    let held = try #require(world.portal.tokens.first)
    _ = try await world.book.logOut(ada.account)
    let sent = world.portal.requests(to: .revoke).map {
      FormFields(decoding: $0.request.body)?["token"]
    }
    #expect(sent == [held.refreshToken, held.accessToken])
    #expect(world.portal.tokens.isEmpty)
    #expect(try world.kinds().suffix(2) == ["logout.requested", "logout.completed"])
  }
}
