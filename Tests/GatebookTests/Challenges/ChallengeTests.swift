import Gatebook
import GatebookFakes
import Testing

/// Challenges of a server in front of the portal, decided by the app.
@Suite struct ChallengeTests {
  @Test(arguments: FakePortalFront.Scheme.allCases)
  func `a credential opens the cookie login, and nothing of it is in the clear`(
    scheme: FakePortalFront.Scheme
  ) async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(.forSession)))
    let world = try await PortalWorld.gated(scheme, resolver)
    let ada = try await world.logIn(.cookie)
    #expect(resolver.asked == ["\(scheme == .basic ? "basic" : "digest") The gate 0"])
    let challenge = try #require(resolver.challenges.first)
    #expect(challenge.account == nil)
    #expect(challenge.session == ada.session)
    #expect(challenge.server.description == world.portal.url)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "account.added", "login.succeeded", "attributes.changed", "cookies.changed",
        "account.switched",
      ])
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    for file in world.files() {
      #expect(!file.holds("front door word"))
      #expect(!file.holds("The gate"))
    }
  }

  @Test(arguments: PortalMode.allCases)
  func `the resolver is asked in every mode, and the default is to refuse`(
    mode: PortalMode
  ) async throws {
    let resolver = ScriptedResolver()
    let world = try await PortalWorld()
    await world.book.register(resolver)
    var redirect: String?
    if mode.opensPage {
      let pending = try await world.book.beginLogIn(world.method(mode))
      redirect = try await world.redirect(of: pending)
    }
    world.portal.switches.front = .gate(.basic)
    await #expect(throws: GatebookError.self) {
      if let redirect {
        try await world.book.finishLogIn(redirect: redirect)
      } else {
        try await world.book.logIn(world.method(mode))
      }
    }
    #expect(resolver.asked == ["basic The gate 0"])
    #expect(
      try world.kinds().suffix(3) == ["challenge.received", "challenge.failed", "login.failed"])
    #expect(try await world.book.accounts().isEmpty)
  }

  @Test(arguments: PortalMode.allCases)
  func `a call meets the front in every mode, and its session is not blamed`(
    mode: PortalMode
  ) async throws {
    let resolver = ScriptedResolver(last: .cancelAuthenticationChallenge)
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode)
    await world.book.register(resolver)
    world.portal.switches.front = .gate(.basic)
    let before = try world.kinds().count
    let call = try world.call()
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    #expect(resolver.asked == ["basic The gate 0"])
    #expect(resolver.challenges.first?.account == ada.account)
    #expect(try world.kinds(after: before) == ["challenge.received", "challenge.cancelled"])
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `the realm is encrypted, and its words are in no clear fact`() async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(.none)))
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    await world.book.register(resolver)
    world.portal.switches.front = .gate(.basic)
    _ = try await world.book.send(.get(world.url("/documents/1")))
    let events = try await world.book.events(after: .start)
    let received = try #require(events.last { $0.kind == "challenge.received" })
    #expect(received.account == ada.account)
    #expect(received.data == ["round": 1, "scheme": "basic"])
    #expect(received.personal?.value?["realm"] == "The gate")
    let answered = try #require(events.last { $0.kind == "challenge.answered" })
    #expect(answered.data == ["round": 1, "scheme": "basic"])
    #expect(answered.personal == nil)
    for file in world.files() { #expect(!file.holds("The gate")) }
  }

  @Test func `a wrong credential is reported as failed and not kept, and the next one counts`()
    async throws
  {
    let resolver = ScriptedResolver(
      .useCredential(.wrong(.permanent)), .useCredential(.gate(.permanent)))
    let world = try await PortalWorld.gated(.basic, resolver)
    let ada = try await world.logIn(.cookie)
    #expect(resolver.asked == ["basic The gate 0", "basic The gate 1"])
    #expect(
      try Array(world.kinds().prefix(7)) == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "challenge.failed", "challenge.received", "challenge.answered",
      ])
    #expect(world.wrongAnswers() == 1)
    // In a process of its own, with nothing but what the book has kept.
    let again = try await world.world.open(world.transport)
    let reply = try await again.send(.get(world.url("/documents/1")), as: ada.account)
    #expect(reply.status == 200)
    #expect(world.wrongAnswers() == 1)
  }

  @Test func `first a credential, then the default handling ends the login`() async throws {
    let resolver = ScriptedResolver(.useCredential(.wrong()), .performDefaultHandling)
    let world = try await PortalWorld.gated(.basic, resolver)
    let method = try world.method(.cookie)
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(resolver.asked == ["basic The gate 0", "basic The gate 1"])
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "challenge.failed", "challenge.received", "challenge.failed", "login.failed",
      ])
  }

  @Test func `cancelling ends the login`() async throws {
    let resolver = ScriptedResolver(.cancelAuthenticationChallenge)
    let world = try await PortalWorld.gated(.basic, resolver)
    let delegate = HeardLogins()
    await world.book.setLoginDelegate(delegate)
    let method = try world.method(.cookie)
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.cancelled",
        "login.failed",
      ])
    #expect(await delegate.heard == ["error challenge.cancelled"])
  }

  @Test func `rejecting continues with the next challenge of the same answer`() async throws {
    let resolver = ScriptedResolver(
      .rejectProtectionSpace, .useCredential(.gate(.forSession)))
    let world = try await PortalWorld()
    world.portal.switches.front = .gate(.basic, .sha256)
    await world.book.register(resolver)
    _ = try await world.logIn(.cookie)
    #expect(resolver.asked == ["basic The gate 0", "digest The gate 0"])
    #expect(
      try Array(world.kinds().prefix(6)) == [
        "book.created", "login.started", "challenge.received", "challenge.failed",
        "challenge.received", "challenge.answered",
      ])
  }

  @Test func `who rejects everything leaves the refusal as it is`() async throws {
    let resolver = ScriptedResolver(last: .rejectProtectionSpace)
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.basic, .sha256)
    await world.book.register(resolver)
    await #expect(throws: GatebookError.self) { try await world.book.renewNow(ada.account) }
    #expect(resolver.asked.count == 2)
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test(arguments: [
    (ChallengeDecision.performDefaultHandling, ["declined"]),
    (.acceptCertificate, ["declined"]), (.rejectProtectionSpace, ["rejected", "rejected"]),
    (.useCredential(.wrong()), ["refused"]),
  ])
  func `each round ends in the log, with its reason, and the refusal goes to the caller`(
    decision: ChallengeDecision, reasons: [String]
  ) async throws {
    let resolver = ScriptedResolver(decision)
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.sha256, .md5)
    if case .rejectProtectionSpace = decision {
      await world.book.register(ScriptedResolver(last: decision))
    } else {
      await world.book.register(resolver)
    }
    let page = HTTPRequest.get(try world.url("/web/guest"))
    #expect(try await world.book.send(page).status == 401)
    let events = try await world.book.events(after: .start).filter {
      $0.kind.hasPrefix("challenge.") && $0.account == ada.account
    }
    let rounds = { (kind: EventKind) in
      events.filter { $0.kind == kind.rawValue }.map { $0.data["round"] }
    }
    let ended = events.filter { $0.kind == "challenge.failed" }
    #expect(rounds(.challengeReceived) == rounds(.challengeFailed))
    #expect(
      ended.compactMap { $0.data["reason"]?.text }.prefix(reasons.count) == reasons[...])
  }

  @Test func `a second decision is ignored`() async throws {
    let world = try await PortalWorld.gated(
      .basic,
      CallbackResolver { _, decide in
        decide(.useCredential(.gate(.forSession)))
        decide(.cancelAuthenticationChallenge)
      })
    #expect(try await world.logIn(.cookie).state == .active)
  }

  @Test func `a resolver that is removed is not asked, and the default holds`() async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate()))
    let world = try await PortalWorld.gated(.basic, resolver)
    let server = try world.url("/").origin
    await world.book.register(resolver, for: server)
    await world.book.removeResolver(for: server)
    await world.book.removeResolver()
    let method = try world.method(.cookie)
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(resolver.asked.isEmpty)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "login.failed",
      ])
  }

  @Test func `a server's own resolver goes before the one for all`() async throws {
    let general = ScriptedResolver(last: .cancelAuthenticationChallenge)
    let world = try await PortalWorld.gated(.basic, general)
    let own = ScriptedResolver(last: .useCredential(.gate(.forSession)))
    await world.book.register(own, for: try world.url("/").origin)
    #expect(try await world.logIn(.cookie).state == .active)
    #expect(own.asked.count == 1)
    #expect(general.asked.isEmpty)
  }
}
