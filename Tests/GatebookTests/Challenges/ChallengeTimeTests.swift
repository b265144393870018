import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Resolvers that take their time, and callers that do not wait.
@Suite struct ChallengeTimeTests {
  @Test func `who never decides about a login lets it time out by the book's clock`() async throws {
    let resolver = SilentResolver()
    defer { resolver.end() }
    let world = try await PortalWorld.gated(.basic, resolver)
    let method = try world.method(.cookie)
    let login = Task { try await world.book.logIn(method) }
    await resolver.question()
    world.world.clock.advance(by: .seconds(60))
    let error = await #expect(throws: GatebookError.self) { try await login.value }
    #expect(error?.code == .challengeTimedOut)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.failed", "login.failed",
      ])
  }

  @Test func `who never decides about a call holds up nobody else`() async throws {
    let resolver = SilentResolver()
    defer { resolver.end() }
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    let other = try FakeLiferayPortal(clock: world.world.clock)
    try other.start()
    defer { other.stop() }
    let liferay = LiferayPortal(server: try #require(HTTPURL(other.url)), companyID: 10154)
    let ben = FakePortalUser.ben
    let elsewhere = try await world.book.logIn(
      .liferay(
        liferay, .cookie(login: ben.emailAddress, password: Secret(ben.password))))
    world.portal.switches.front = .gate(.basic)
    await world.book.register(resolver, for: try world.url("/").origin, limit: .seconds(5))
    let document = HTTPRequest.get(try world.url("/documents/1"))
    let call = Task { try await world.book.send(document, as: ada.account) }
    await resolver.question()
    let there = HTTPRequest.get(try #require(HTTPURL("\(other.url)/documents/1")))
    #expect(try await world.book.send(there, as: elsewhere.account).status == 200)
    world.world.clock.advance(by: .seconds(5))
    let error = await #expect(throws: GatebookError.self) { try await call.value }
    #expect(error?.code == .challengeTimedOut)
    #expect(try world.kinds().suffix(2) == ["challenge.received", "challenge.failed"])
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `a caller that is cancelled does not wait, and the log says so`() async throws {
    let resolver = SilentResolver()
    defer { resolver.end() }
    let world = try await PortalWorld.gated(.basic, resolver)
    let delegate = HeardLogins()
    await world.book.setLoginDelegate(delegate)
    let method = try world.method(.cookie)
    let login = Task { try await world.book.logIn(method) }
    await resolver.question()
    login.cancel()
    let error = await #expect(throws: GatebookError.self) { try await login.value }
    #expect(error?.code == .cancelled)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.cancelled",
        "login.cancelled",
      ])
    #expect(await delegate.heard == ["error cancelled"])
  }

  @Test func `the log says so also while the store is busy`() async throws {
    let resolver = SilentResolver()
    defer { resolver.end() }
    let world = try await PortalWorld.gated(.basic, resolver)
    let method = try world.method(.cookie)
    let login = Task { try await world.book.logIn(method) }
    await resolver.question()
    let hold = StoreHold()
    await hold.take(try world.book.store.get())
    login.cancel()
    await hold.arrival()
    hold.release()
    let error = await #expect(throws: GatebookError.self) { try await login.value }
    #expect(error?.code == .cancelled)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.cancelled",
        "login.cancelled",
      ])
  }

  @Test func `a renewal by the clock asks too, and keeps what was given for the session`()
    async throws
  {
    let resolver = ScriptedResolver(.useCredential(.gate(.forSession)))
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.basic)
    await world.book.register(resolver)
    world.world.clock.advance(by: .seconds(900))
    let before = try world.kinds().count
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    #expect(resolver.asked == ["basic The gate 0"])
    #expect(
      try world.kinds(after: before) == [
        "refresh.started", "challenge.received", "challenge.answered", "credentials.saved",
        "refresh.succeeded", "cookies.changed",
      ])
    let again = try await world.world.open(world.transport)
    let reply = try await again.send(.get(world.url("/documents/1")), as: ada.account)
    #expect(reply.status == 200)
  }
}
