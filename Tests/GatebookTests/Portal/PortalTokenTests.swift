import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// How OAuth 2 tokens of a portal are renewed, kept and lost.
@Suite struct PortalTokenTests {
  @Test(arguments: PortalMode.tokens)
  func `a rotated pair is on disk before it is used, and no refresh token is sent twice`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    world.world.clock.advance(by: .seconds(480))
    world.portal.inject(.stallBeforeActing, on: .invoke)
    let call = try world.call()
    let sent = world.portal.requests.count
    let waiting = Task { try await world.book.send(call, as: ada.account) }
    _ = await world.portal.requests(atLeast: sent + 2)
    // The call has arrived with the new token and is not answered: another process knows it too.
    #expect(try world.kinds().suffix(2) == ["refresh.started", "refresh.succeeded"])
    let other = try await world.world.open(world.transport)
    #expect(try await other.context(of: ada.account).generation == 2)
    world.portal.stop()
    _ = try? await waiting.value
    try world.portal.start()
    #expect(try await other.send(call, as: ada.account).status == 200)
    world.world.clock.advance(by: .seconds(480))
    #expect(try await other.send(call, as: ada.account).status == 200)
    #expect(try await other.context(of: ada.account).generation == 3)
    #expect(world.refreshTokensSent().count == 2)
    #expect(Set(world.refreshTokensSent()).count == 2)
  }

  @Test(arguments: PortalMode.tokens)
  func `nothing is renewed before four fifths of a token's life`(mode: PortalMode) async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(mode)
    world.world.clock.advance(by: .seconds(479))
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(world.refreshTokensSent().isEmpty)
  }

  @Test(arguments: PortalMode.tokens)
  func `a refresh token that is refused ends the session and keeps the rest`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    world.portal.revokeTokens()
    world.world.clock.advance(by: .seconds(480))
    let before = try world.kinds().count
    let call = try world.call()
    // The access token was tried, and is refused too.
    _ = try? await world.book.send(call)
    let sent = world.portal.requests.count
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.refused))
    #expect(context.user == ada.user)
    #expect(
      try world.kinds(after: before) == ["refresh.started", "refresh.failed", "session.ended"])
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    #expect(world.portal.requests.count == sent)
  }

  @Test func `a refusal without a word says so`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.applications[1].secret = "another one"
    world.portal.switches.emptyRefusalOfBadClient = true
    world.world.clock.advance(by: .seconds(480))
    let before = try world.kinds().count
    _ = try? await world.book.send(world.call())
    #expect(try await world.book.context(of: ada.account).renewalEnd == .refusedWithoutReason)
    #expect(try world.kinds(after: before) == ["refresh.started", "refresh.failed"])
    world.world.clock.advance(by: .seconds(121))
    #expect(
      try await world.book.context(of: ada.account).state == .needsLogin(.refusedWithoutReason))
  }

  @Test(
    arguments: PortalMode.tokens, [LoopbackFault.status(503), .status(429), .page(), .page(502)])
  func `while the token endpoint is in trouble the old token serves until its end`(
    mode: PortalMode, fault: LoopbackFault
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    world.portal.inject(fault, on: .token, times: nil)
    world.world.clock.advance(by: .seconds(480))
    let before = try world.kinds().count
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(try world.kinds(after: before) == ["refresh.started", "refresh.deferred"])
    world.world.clock.advance(by: .seconds(120))
    let calls = world.portal.requests(to: .invoke).count
    await #expect(throws: GatebookError.self) { try await world.book.send(world.call()) }
    #expect(world.portal.requests(to: .invoke).count == calls)
    #expect(try await world.book.context(of: ada.account).state == .active)
    world.portal.clearFaults()
    #expect(try await world.book.send(world.call()).status == 200)
  }

  @Test func `defect 8: a rotated token outlives the process that got it`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    #expect(try await world.book.renewNow(ada.account))
    // Not closed: as after a crash.
    let again = try await world.world.open(world.transport)
    _ = try await again.restore(ada.account)
    world.world.clock.advance(by: .seconds(480))
    #expect(try await again.send(world.call(), as: ada.account).status == 200)
    #expect(Set(world.refreshTokensSent()).count == 2)
  }

  @Test func `defect 9: without a refresh token no other grant takes its place`() async throws {
    let world = try await PortalWorld()
    world.portal.switches.omitsRefreshToken = true
    let ada = try await world.logIn(.oauth2Password)
    #expect(try await !world.book.renewNow(ada.account))
    world.world.clock.advance(by: .seconds(599))
    #expect(try await world.book.send(world.call()).status == 200)
    world.world.clock.advance(by: .seconds(1))
    let call = try world.call()
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    #expect(try await world.book.context(of: ada.account).state == .needsLogin(.expired))
    #expect(world.portal.requests(to: .token).count == 1)
  }

  @Test func `defect 9: an answer without a refresh token keeps the old one`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.switches.omitsRefreshToken = true
    #expect(try await world.book.renewNow(ada.account))
    #expect(try await world.book.renewNow(ada.account))
    #expect(Set(world.refreshTokensSent()).count == 1)
    #expect(try await world.book.context(of: ada.account).generation == 3)
  }

  @Test(arguments: PortalMode.tokens, [false, true])
  func `defect 10: an unknown life is no ended one, and a refusal is answered by one refresh`(
    mode: PortalMode, asGuest: Bool
  ) async throws {
    let world = try await PortalWorld()
    world.portal.switches.omitsExpiresIn = true
    world.portal.switches.takesBadBearerForGuest = asGuest
    let ada = try await world.logIn(mode)
    let resolver = ScriptedResolver()
    await world.book.register(resolver)
    for _ in 0..<3 { #expect(try await world.book.send(world.call()).status == 200) }
    world.world.clock.advance(by: .seconds(599))
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(world.refreshTokensSent().isEmpty)
    world.world.clock.advance(by: .seconds(1))
    let before = try world.kinds().count
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(world.refreshTokensSent().count == 1)
    // A guest's 403 is no challenge.
    #expect(
      try world.kinds(after: before)
        == (asGuest ? [] : ["challenge.received", "challenge.failed"])
        + ["refresh.started", "refresh.succeeded"])
    #expect(try await world.book.context(of: ada.account).generation == 2)
    #expect(resolver.asked == (asGuest ? [] : ["token bearer PortalRealm 0"]))
  }

  @Test(arguments: PortalMode.tokens)
  func `defect 15: without scopes none are named, with some they are`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(world.method(mode))
    let asked = world.portal.requests(to: .authorize) + world.portal.requests(to: .token)
    #expect(!asked.isEmpty)
    for request in asked {
      #expect(!request.request.target.contains("scope="))
      #expect(!request.request.text.contains("scope="))
    }
    world.portal.applications = world.portal.applications.map { application in
      var application = application
      application.scopes = ["a.read", "b.read", "c.read"]
      return application
    }
    _ = try await world.logIn(
      world.method(mode, options: PortalOptions(scopes: ["a.read", "b.read"])))
    #expect(world.portal.tokens.last?.scope == "a.read b.read")
  }

  @Test func `defect 20: an empty refusal of the client is no outage`() async throws {
    let world = try await PortalWorld()
    world.portal.applications[1].secret = "another one"
    world.portal.switches.emptyRefusalOfBadClient = true
    let method = try world.method(.oauth2Password)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(try world.kinds() == ["book.created", "login.started", "login.failed"])
  }
}
