import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What is learnt while others learn, renew or take back.
@Suite struct ChallengeRaceTests {
  private static let certificate = ServerCertificate(
    host: "127.0.0.1", port: 8080,
    key: KeyHash(of: Array("a key".utf8)), defects: [.selfSigned])

  @Test(arguments: [ChallengeCredential.Persistence.forSession, .permanent])
  func `two conversations that learn at the same time lose nothing of each other`(
    persistence: ChallengeCredential.Persistence
  ) async throws {
    let server = RealmServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let account = try await book.logIn(RealmServer.login()).account
    await book.register(RealmServer.resolver(persistence))
    let pages = try ["/a/", "/b/"].map { HTTPRequest.get(try RealmServer.url($0)) }
    let session = try #require(try await book.openSession(of: account))
    var first = await book.conversation(of: session)
    #expect(try await first.send(pages[0]).reply.status == 200)
    var second = await book.conversation(of: session)
    #expect(try await second.send(pages[1]).reply.status == 200)
    // Computed from the state that both have read, and recorded after the other one's news.
    let read = try #require(try await book.openSession(of: account))
    var late = try await book.keeping(second.given, read)
    late.precondition = .revision(account, read.state.revision)
    try await book.keep(first, session)
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await book.commit(late)
    }
    try await book.keep(second, session)
    await book.close()
    let again = try await world.open(server.transport)
    for page in pages { #expect(try await again.send(page).status == 200) }
  }

  /// Holds the first answered request, so that another one meets what is not judged yet.
  private static func slow(_ server: any Transport, _ gate: Gate) -> ScriptedTransport {
    let isFirst = TestBox(true)
    return ScriptedTransport { request, route throws(TransportFailure) in
      let isAnswer =
        request.url.path == "/a/"
        && request.fields.first("Authorization")?.hasPrefix("Basic") == true
      if isAnswer,
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      {
        await gate.pass()
      }
      return try await server.send(request, through: route)
    }
  }

  @Test(arguments: [ChallengeCredential.Persistence.none, .forSession])
  func `no other request uses a credential before the server has accepted it`(
    persistence: ChallengeCredential.Persistence
  ) async throws {
    let gate = Gate(isOpen: false)
    let server = RealmServer()
    let world = try TestBook()
    let book = try await world.open(Self.slow(server.transport, gate))
    _ = try await book.logIn(RealmServer.login())
    let given = ChallengeCredential(user: "a", password: Secret("a"), persistence: persistence)
    let resolver = ScriptedResolver(.useCredential(given))
    await book.register(resolver)
    let page = HTTPRequest.get(try RealmServer.url("/a/"))
    let first = Task { try await book.send(page).status }
    await gate.arrival()
    #expect(try await book.send(page).status == 401)
    await gate.open()
    #expect(try await first.value == 200)
    #expect(resolver.asked.count { $0 == "basic a 0" } == 2)
    // What was given for one request has served it alone.
    #expect(try await book.send(page).status == (persistence == .none ? 401 : 200))
  }

  @Test func `a credential that was given before and is refused now counts`() async throws {
    let server = RealmServer()
    let doorman = Doorman(before: server.transport)
    let world = try TestBook()
    let book = try await world.open(doorman.transport)
    _ = try await book.logIn(RealmServer.login())
    let given = ChallengeCredential(user: "a", password: Secret("a"), persistence: .forSession)
    let resolver = ScriptedResolver(.useCredential(given))
    await book.register(resolver)
    let page = HTTPRequest.get(try RealmServer.url("/a/"))
    #expect(try await book.send(page).status == 200)
    doorman.refuse("Basic realm=\"a\"", times: 2, of: "/a/")
    #expect(try await book.send(page).status == 401)
    #expect(resolver.asked.filter { $0.hasPrefix("basic a") } == ["basic a 0", "basic a 1"])
  }

  @Test func `a realm that tells what the request carried is not recorded`() async throws {
    let portal = try await PortalWorld()
    let doorman = Doorman(before: portal.transport)
    let book = try await portal.world.open(doorman.transport)
    _ = try await book.logIn(portal.method(.oauth2Password))
    await book.register(ScriptedResolver())
    let token = try #require(portal.portal.tokens.last?.accessToken)
    doorman.refuse("Bearer realm=\"for \(token)\"")
    _ = try? await book.send(portal.call())
    let asked = try await book.events(after: .start).filter { $0.kind == "challenge.received" }
    #expect(asked.count == 1)
    #expect(!asked.contains { String(describing: $0.personal).contains(token) })
  }

  /// A form server whose certificate becomes untrusted when the test says so.
  private func unvouched(
    _ server: FormServer, _ isVouchedFor: TestBox<Bool>
  ) -> ScriptedTransport {
    ScriptedTransport { request, route throws(TransportFailure) in
      let exception = TrustException(accepting: Self.certificate)
      guard isVouchedFor.value || route.trust.exceptions.contains(exception) else {
        throw TransportFailure(
          GatebookError(.tlsUntrusted, "unknown", remedy: "ask"), delivery: .notSent,
          certificate: Self.certificate)
      }
      return try await server.transport.send(request, through: route)
    }
  }

  @Test(arguments: [true, false])
  func `a key that is taken back while it is used does not come back`(
    isRenewal: Bool
  ) async throws {
    let (server, isVouchedFor) = (FormServer(), TestBox(true))
    let world = try TestBook()
    let book = try await world.open(unvouched(server, isVouchedFor))
    let account = try await book.logIn(server.login()).account
    await book.register(ScriptedResolver(.acceptCertificate))
    isVouchedFor.value = false
    server.hold(isRenewal ? "/login" : "/page")
    let page = HTTPRequest.get(try server.url("/page"))
    let call = Task {
      if isRenewal { try await book.renewNow(account) } else { _ = try await book.send(page) }
    }
    await server.arrival()
    #expect(try await book.revokeTrust(of: account) == .system)
    isVouchedFor.value = isRenewal
    server.release(
      isRenewal
        ? HTTPReply(
          status: 302,
          fields: [HTTPField("Location", "/check"), HTTPField("Set-Cookie", "sid=1; Path=/")])
        : HTTPReply(status: 200))
    try await call.value
    isVouchedFor.value = false
    #expect(try await book.trust(of: account) == .system)
    #expect(try await book.openSession(of: account)?.stored.trust == .system)
    await expect(.tlsUntrusted) { () throws(GatebookError) in _ = try await book.send(page) }
    let told = try await book.events(after: .start).filter { $0.kind == "trust.decided" }
    #expect(told.map { $0.data["verdict"] } == ["accepted", "revoked", "refused"])
  }

  @Test func `a key that was accepted is kept before the request is answered`() async throws {
    let (server, isVouchedFor) = (FormServer(), TestBox(true))
    let world = try TestBook()
    let book = try await world.open(unvouched(server, isVouchedFor))
    let account = try await book.logIn(server.login()).account
    await book.register(ScriptedResolver(.acceptCertificate))
    isVouchedFor.value = false
    server.hold("/page")
    let page = HTTPRequest.get(try server.url("/page"))
    let call = Task { try await book.send(page) }
    await server.arrival()
    let other = try await world.open(unvouched(server, isVouchedFor))
    #expect(
      try await other.trust(of: account).exceptions == [TrustException(accepting: Self.certificate)]
    )
    server.release(HTTPReply(status: 200))
    #expect(try await call.value.status == 200)
    #expect(try await other.send(page, as: account).status == 200)
  }

  /// What an account keeps for challenges becomes something that nobody can read.
  private func spoil(_ book: SessionBook, _ account: AccountID) async throws {
    var append = Append([])
    append.vault = [
      .set(account, purpose: Purpose.challenges, generation: 1, content: Array("?".utf8))
    ]
    try await book.commit(append)
  }

  @Test func `a renewal is kept though what was given for good cannot be`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.basic)
    await world.book.register(ScriptedResolver(.useCredential(.gate(.permanent))))
    try await spoil(world.book, ada.account)
    let before = try world.kinds().count
    #expect(try await world.book.renewNow(ada.account))
    #expect(try world.kinds(after: before).contains("refresh.succeeded"))
    // What the session learnt is with the session at least.
    let again = try await world.world.open(world.transport)
    #expect(try await again.send(.get(world.url("/documents/1"))).status == 200)
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await again.keptCredentials(of: ada.account)
    }
  }

  @Test func `a refused renewal is reported although the given credential cannot be stored`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.basic)
    world.portal.change(123_456) { $0.password = "another one" }
    await world.book.register(ScriptedResolver(.useCredential(.gate(.permanent))))
    try await spoil(world.book, ada.account)
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await world.book.renewNow(ada.account)
    }
    #expect(try world.kinds().suffix(2) == ["refresh.failed", "session.ended"])
  }
}
