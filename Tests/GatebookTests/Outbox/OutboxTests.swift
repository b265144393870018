import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Rule 6: messages that did not reach a server are sent later, by any process.
@Suite struct OutboxTests {
  @Test func `a logout that no server received is delivered when it is back`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let revocations = world.portal.requests(to: .revoke).count
    world.portal.stop()
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    #expect(
      try world.kinds().suffix(3) == [
        "logout.requested", "logout.completed", "revocation.queued",
      ])
    // Another process, later.
    let later = try await world.world.open(world.transport)
    var report = try await later.sync()
    #expect(report.delivered == 0)
    #expect(report.waiting == 1)
    #expect(try world.kinds().last == "revocation.failed")
    try world.portal.start()
    report = try await later.sync()
    #expect(report.delivered == 1)
    #expect(report.waiting == 0)
    #expect(try world.kinds().last == "revocation.succeeded")
    #expect(world.portal.requests(to: .revoke).count == revocations + 2)
    #expect(try await later.sync().delivered == 0)
    #expect(world.portal.requests(to: .revoke).count == revocations + 2)
  }

  @Test(arguments: [400, 401, 404])
  func `what a server refuses for good is given up at once, and not told as delivered`(
    _ status: Int
  ) async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.line.edit.value = { path, reply in
      if path == "/revoke" {
        reply = HTTPReply(status: status, body: Array("{\"error\":\"invalid_request\"}".utf8))
      }
    }
    _ = try await party.book.logOut(ada.account)
    #expect(try await party.book.waitingDeliveries(of: ada.account) == 0)
    #expect(try await party.book.lastFarewell(of: ada.account) == "givenUp")
    #expect(try party.world.kinds().suffix(2) == ["logout.requested", "logout.completed"])
    // The access token may end where the refresh token does not.
    let told = party.server.requests.filter { $0.path == "/revoke" }
      .compactMap { $0.formValue("token_type_hint") }
    #expect(told == ["refresh_token", "access_token"])
    let report = try await party.book.sync()
    #expect((report.delivered, report.givenUp, report.waiting) == (0, 0, 0))
    #expect(party.count("/revoke") == 2)
    #expect(try BookReader.open(at: party.world.path).checkProjections().ok)
  }

  @Test func `what a server comes to refuse is given up then`() async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.line.edit.value = { path, reply in if path == "/revoke" { reply.status = 503 } }
    _ = try await party.book.logOut(ada.account)
    #expect(try await party.book.waitingDeliveries(of: ada.account) == 1)
    party.line.edit.value = { path, reply in if path == "/revoke" { reply.status = 401 } }
    let report = try await party.book.sync()
    #expect((report.delivered, report.givenUp, report.waiting) == (0, 1, 0))
    #expect(try party.world.kinds().last == "revocation.failed")
    let next = try await party.book.sync()
    #expect((next.delivered, next.givenUp, next.waiting) == (0, 0, 0))
  }

  @Test func `a session that cannot be read is logged out, and its server was not told`()
    async throws
  {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    try await party.book.put([1, 2, 3], of: ada.account, Purpose.session)
    #expect(try await party.book.logOut(ada.account).state == .ended(.user))
    #expect(try await party.book.lastFarewell(of: ada.account) == "unread")
    #expect(party.count("/revoke") == 0)
  }

  @Test func `a silent server keeps no other from hearing, and its try is written down`()
    async throws
  {
    let world = try TestBook()
    let server = try FakeIdentityServer(clock: world.clock)
    try server.start()
    let isDown = TestBox(true)
    let hasHung = TestBox(false)
    let line = CurlTransport()
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/revoke" else {
          return try await line.send(request, through: route)
        }
        if isDown.value { return HTTPReply(status: 503) }
        let isFirst = hasHung.withLock { hasHung in
          defer { hasHung = true }
          return !hasHung
        }
        if isFirst {
          try? await Task.sleep(for: .seconds(60))
          throw TransportFailure(GatebookError.cancelledByCaller, delivery: .maybeSent)
        }
        return try await line.send(request, through: route)
      })
    for subject in ["ada", "bob"] {
      server.settings.subject = subject
      _ = try await book.logIn(
        .openID(
          issuer: try #require(Issuer(server.url)),
          application: OAuth2Application(clientID: FakeIdentityServer.clientID),
          flow: .password(
            user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))))
    }
    _ = try await book.logOutAll()
    isDown.value = false
    world.clock.advance(by: .seconds(60))
    let before = try world.kinds().count
    await book.deliverOutbox(within: .milliseconds(300))
    #expect(
      Set(try world.kinds().dropFirst(before)) == ["revocation.succeeded", "revocation.failed"])
    // It waits now, and holds nobody up.
    let end = try world.kinds().count
    await book.deliverOutbox(within: .milliseconds(300))
    #expect(try world.kinds().count == end)
    world.clock.advance(by: .seconds(60))
    #expect(try await book.sync().delivered == 1)
  }

  @Test func `a book that stays open delivers due messages automatically`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    try world.portal.start()
    world.world.clock.advance(by: .seconds(60))
    let book = try await world.world.open(world.transport, renewalPolicy: .inBackground)
    let isDelivered = try await eventually { try world.kinds().last == "revocation.succeeded" }
    #expect(isDelivered)
    await book.close()
  }

  @Test func `what a newer version wants to say waits for that version`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    let session = try #require(ada.session)
    let purpose = OutboxItem.purpose(OutboxItem.key(session, ada.generation))
    let known = try #require(try await world.book.secret(of: ada.account, purpose))
    try await world.book.put([1, 2, 3], of: ada.account, purpose)
    try world.portal.start()
    let before = try world.kinds().count
    #expect(try await world.book.sync().waiting == 1)
    #expect(try world.kinds(after: before).isEmpty)
    try await world.book.put(known, of: ada.account, purpose)
    #expect(try await world.book.sync().delivered == 1)
  }

  @Test func `messages that another process queues are delivered, too`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let ben = try await world.logInRevocably(.ben)
    // Ada's account comes before Ben's: while his item is on its way, hers has been passed.
    world.portal.inject(.status(503), on: .revoke)
    _ = try await world.book.logOut(ben.account)
    world.world.clock.advance(by: .seconds(60))
    let gate = Gate(isOpen: false)
    let book = try await world.world.open(
      LateRevocations(transport: world.transport, gate: gate), renewalPolicy: .inBackground)
    await gate.arrival()
    world.portal.inject(.status(503), on: .revoke)
    _ = try await book.logOut(ada.account)
    #expect(try world.kinds().last == "revocation.queued")
    await gate.open()
    let isDelivered = try await eventually {
      world.world.clock.advance(by: .seconds(1))
      return try world.kinds().count { $0 == "revocation.succeeded" } == 2
    }
    #expect(isDelivered)
    await book.close()
  }

  @Test func `a delivery that a busy book could not record is repeated until it can`() async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.inject(.status(503), on: .revoke)
    _ = try await world.book.logOut(ada.account)
    world.world.clock.advance(by: .seconds(60))
    let sent = world.portal.requests(to: .revoke).count
    let gate = Gate(isOpen: false)
    let hold = WriterHold(world.world)
    let book = try await world.world.open(
      LateRevocations(transport: world.transport, gate: gate), renewalPolicy: .inBackground,
      wait: .milliseconds(50))
    await gate.arrival()
    #expect(hold.take())
    await gate.open()
    let isToldAgain = try await eventually(within: .seconds(20)) {
      world.portal.requests(to: .revoke).count > sent + 2
    }
    #expect(isToldAgain)
    #expect(try world.kinds().last == "revocation.queued")
    hold.release()
    #expect(
      try await eventually(within: .seconds(20)) {
        try world.kinds().last == "revocation.succeeded"
      })
    await book.close()
  }

  @Test func `what waits is left alone between tries`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.inject(.status(503, retryAfter: 30), on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    let sent = world.portal.requests(to: .revoke).count
    await world.book.deliverOutbox(within: .seconds(10))
    #expect(world.portal.requests(to: .revoke).count == sent)
    world.world.clock.advance(by: .seconds(30))
    await world.book.deliverOutbox(within: .seconds(10))
    #expect(world.portal.requests(to: .revoke).count == sent + 1)
    world.portal.clearFaults()
    world.world.clock.advance(by: .seconds(72))
    await world.book.deliverOutbox(within: .seconds(10))
    #expect(try world.kinds().last == "revocation.succeeded")
  }

  @Test func `a logout whose process died before its delivery is delivered by the next one`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.inject(.stallBeforeActing, on: .revoke)
    let dying = try await world.world.open(world.transport)
    let sent = world.portal.requests.count
    let logout = Task { try await dying.logOut(ada.account) }
    _ = await world.portal.requests(atLeast: sent + 1)
    #expect(try world.kinds().last == "logout.requested")
    let image = try world.world.crashImage()
    image.clock.set(world.world.clock.now())
    let next = try await image.open(world.transport)
    #expect(try await next.sync().delivered == 1)
    world.portal.stop()
    _ = try? await logout.value
  }

  @Test func `an item is given up after a month, and its secrets go`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    world.world.clock.advance(by: .seconds(31 * 86_400))
    #expect(try await world.book.sync().waiting == 0)
    let last = try #require(try await world.book.events(after: .start).last)
    #expect(last.kind == "revocation.failed")
    #expect(last.data["halted"] == true)
    #expect(try await world.book.sync().waiting == 0)
  }

  @Test func `no file shows what waits in the outbox`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let token = try await world.book.token()
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    let secret = token.value.withBytes { String(decoding: $0, as: UTF8.self) }
    for file in world.files() { #expect(!file.holds(secret)) }
  }

  @Test func `a renewal that comes after a logout changes nothing, and its tokens are revoked`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let gate = Gate(isOpen: false)
    let late = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
    let renewal = Task { try await late.renewNow(ada.account) }
    await gate.arrival()
    _ = try await world.book.logOut(ada.account)
    await gate.open()
    _ = try? await renewal.value
    #expect(try await world.book.context(of: ada.account).state == .ended(.user))
    #expect(try world.kinds().suffix(2) == ["refresh.discarded", "revocation.queued"])
    #expect(try await world.book.sync().delivered == 1)
    #expect(world.portal.tokens.allSatisfy { $0.accessToken == nil && $0.refreshToken == nil })
  }

  @Test func `sync verifies what was resumed, and one account's trouble stops no other`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let ben = try await world.logIn(.cookie, .ben)
    for account in [ada.account, ben.account] { _ = try await world.book.restore(account) }
    world.portal.inject(.status(503), on: .invoke)
    let report = try await world.book.sync()
    #expect(report.verified == [ben.account])
    #expect(report.failures.map(\.account) == [ada.account])
    #expect(try await world.book.context(of: ada.account).state.isUsable)
    #expect(try await world.book.sync().verified == [ada.account])
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `sync of one account leaves the others alone`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let ben = try await world.logIn(.cookie, .ben)
    let cleo = try await world.logIn(.cookie, .cleo)
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    try world.portal.start()
    for account in [ben.account, cleo.account] { _ = try await world.book.restore(account) }
    var report = try await world.book.sync(ben.account)
    #expect(report.verified == [ben.account])
    #expect(report.delivered == 0)
    #expect(report.waiting == 0)
    guard case .offline = try await world.book.context(of: cleo.account).state else {
      Issue.record("Cleo's session was verified too.")
      return
    }
    #expect(try world.kinds().last != "revocation.succeeded")
    report = try await world.book.sync(ada.account)
    #expect(report.delivered == 1)
    #expect(report.verified.isEmpty)
    #expect(try world.kinds().last == "revocation.succeeded")
    #expect(try await world.book.sync().verified == [cleo.account])
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.sync(AccountID(high: 1, low: 2))
    }
  }
}

/// Lets the first answer about tokens that were taken back through when a gate opens.
private struct LateRevocations: Transport {
  let transport: CurlTransport
  let gate: Gate
  private let isFirst = TestBox(true)

  init(transport: CurlTransport, gate: Gate) {
    self.transport = transport
    self.gate = gate
  }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    guard request.url.target.hasSuffix("/oauth2/revoke") else { return reply }
    let waits = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if waits { await gate.pass() }
    return reply
  }
}

extension SessionBook {
  fileprivate func secret(
    of account: AccountID, _ purpose: String
  ) throws(GatebookError) -> [UInt8]? {
    try reader.secret(of: account, purpose: purpose)
  }

  fileprivate func put(
    _ content: [UInt8], of account: AccountID, _ purpose: String
  ) async throws(GatebookError) {
    var append = Append([])
    append.vault = [.set(account, purpose: purpose, generation: 1, content: content)]
    try await commit(append)
  }
}
