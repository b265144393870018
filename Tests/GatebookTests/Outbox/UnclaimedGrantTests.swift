import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Tokens that a server gave and nobody will use.
@Suite struct UnclaimedGrantTests {
  private let world: TestBook
  private let server: FakeIdentityServer
  private let line: RevocationLine
  private let book: SessionBook

  /// A line on which the revocation endpoint can be out of reach.
  private final class RevocationLine: Transport {
    let transport = CurlTransport()
    let isCut = TestBox(false)

    func send(
      _ request: HTTPRequest, through route: Route
    ) async throws(TransportFailure) -> HTTPReply {
      if isCut.value, request.url.path == "/revoke" {
        throw TransportFailure(
          GatebookError(.networkUnreachable, "It is cut.", remedy: "Mend it."), delivery: .notSent)
      }
      return try await transport.send(request, through: route)
    }
  }

  init() async throws {
    world = try TestBook()
    server = try FakeIdentityServer(clock: world.clock)
    try server.start()
    line = RevocationLine()
    book = try await world.open(line)
  }

  private func method() throws -> LoginMethod {
    .openID(
      issuer: try #require(Issuer(server.url)),
      application: OAuth2Application(clientID: FakeIdentityServer.clientID),
      flow: .password(user: FakeIdentityServer.user, Secret(FakeIdentityServer.password)))
  }

  private func byPage() throws -> LoginMethod {
    .openID(
      issuer: try #require(Issuer(server.url)),
      application: OAuth2Application(clientID: FakeIdentityServer.clientID),
      flow: .code(redirectURI: "com.example.app:/back"))
  }

  /// Plays the person at the page.
  private func redirect(of pending: PendingLogin) async throws -> String {
    let reply = try await line.send(
      .get(pending.page), through: Route(pool: "person", trust: .system))
    return try #require(reply.fields.first("Location"))
  }

  private var revoked: [String] {
    server.requests.filter { $0.path == "/revoke" }.compactMap { $0.formValue("token") }
  }

  private func failLogIn(
    _ code: FailureCode = .contentUnexpected, _ options: LoginOptions = LoginOptions()
  ) async throws {
    let method = try method()
    await expect(code) { () throws(GatebookError) in
      _ = try await book.logIn(method, options: options)
    }
  }

  @Test func `of a known account they wait in its outbox until the server has heard`() async throws
  {
    let ada = try await book.logIn(method())
    _ = try await book.logOut(ada.account)
    #expect(server.liveTokens.isEmpty)
    let before = try world.kinds().count
    // Its ID token names nobody: it does not hold.
    server.settings.subject = ""
    line.isCut.value = true
    try await failLogIn()
    #expect(
      try world.kinds().dropFirst(before) == ["login.started", "login.failed", "revocation.queued"])
    #expect(server.liveTokens == ["access-2", "refresh-2"])
    for name in ["", "-wal"] {
      let bytes = TestFile.read(world.path + name).bytes
      #expect(!bytes.contains(Array("refresh-2".utf8)))
    }
    // Another process, later.
    let later = try await world.open(line)
    #expect(try await later.sync().waiting == 1)
    line.isCut.value = false
    #expect(try await later.sync().delivered == 1)
    #expect(try world.kinds().last == "revocation.succeeded")
    #expect(server.liveTokens.isEmpty)
  }

  /// A login that may be offline for a minute, after two.
  private func endOffline(
    _ options: LoginOptions = LoginOptions()
  ) async throws -> SessionContext {
    var options = options
    options.offlineLimit = .seconds(60)
    let pending = try await book.beginLogIn(byPage(), options: options)
    let ada = try await book.finishLogIn(redirect: try await redirect(of: pending))
    world.clock.advance(by: .seconds(120))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.restore(ada.account)
    }
    return ada
  }

  @Test func `of a session that was offline too long they are taken back`() async throws {
    line.isCut.value = true
    let ada = try await endOffline()
    #expect(try world.kinds().suffix(2) == ["session.ended", "revocation.queued"])
    #expect(server.liveTokens.count == 2)
    // The logout, too, waits for what waits already.
    _ = try await book.logOut(ada.account)
    #expect(try await book.waitingDeliveries(of: ada.account) == 1)
    line.isCut.value = false
    #expect(try await book.sync().delivered == 1)
    #expect(server.liveTokens.isEmpty)
  }

  @Test func `of a session that was offline too long those that are saved live on`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await endOffline(options)
    _ = try await book.sync()
    #expect(!revoked.contains { $0.hasPrefix("refresh") }, "\(revoked)")
    #expect(try await book.logInAgain(ada.account).state == .active)
  }

  @Test func `a session that lives loses nothing by them`() async throws {
    let ada = try await book.logIn(method())
    server.settings.subject = ""
    try await failLogIn()
    server.settings.subject = FakeIdentityServer.subject
    #expect(try await book.sync().delivered == 1)
    // To some servers a refresh token is all that the user has allowed the application.
    #expect(revoked == ["access-2"])
    #expect(try await book.context(of: ada.account).state == .active)
    #expect(try await book.renewNow(ada.account))
  }

  @Test func `of nobody whom the book knows they are taken back at once`() async throws {
    server.settings.subject = ""
    try await failLogIn()
    #expect(
      try world.kinds().suffix(3) == ["login.started", "login.failed", "revocation.succeeded"])
    #expect(revoked == ["refresh-1", "access-1"])
    #expect(server.liveTokens.isEmpty)
    let told = try #require(try await book.events(after: .start).last)
    #expect(told.data == ["status": 200, "tries": 1])
    #expect(told.account == nil)
  }

  @Test func `what cannot be delivered at once is reported as that, and not kept`() async throws {
    server.settings.subject = ""
    line.isCut.value = true
    try await failLogIn()
    let told = try #require(try await book.events(after: .start).last)
    #expect(told.kind == "revocation.failed")
    #expect(told.data == ["code": "network.unreachable", "halted": true, "tries": 1])
    line.isCut.value = false
    #expect(try await book.sync().waiting == 0)
    #expect(revoked.isEmpty)
  }

  @Test func `a server without an endpoint for it is asked nothing`() async throws {
    let login = try plain(nil)
    server.settings.subject = ""
    await expect(.loginUnprovable) { () throws(GatebookError) in _ = try await book.logIn(login) }
    #expect(try world.kinds().last == "login.failed")
  }

  /// A login whose page about the user names nobody.
  private func plain(_ revocation: String?) throws -> LoginMethod {
    var places = OAuth2Server()
    places.userInfoURL = HTTPURL("\(server.url)/me")
    places.revocationURL = revocation.flatMap { HTTPURL(server.url + $0) }
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(server.url)/token")), places,
      application: OAuth2Application(clientID: FakeIdentityServer.clientID),
      flow: .password(user: FakeIdentityServer.user, Secret(FakeIdentityServer.password)))
  }

  @Test func `a refresh that is answered for another user leaves its tokens to be taken back`()
    async throws
  {
    let ada = try await book.logIn(method())
    let before = try world.kinds().count
    server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    #expect(
      try world.kinds().dropFirst(before) == [
        "refresh.started", "refresh.failed", "session.ended", "revocation.queued",
      ])
    #expect(try await book.sync().delivered == 1)
    #expect(revoked == ["refresh-2", "access-2"])
  }

  @Test func `so does one whose user is known only after it was stored`() async throws {
    let ada = try await book.logIn(method())
    server.settings.keyID = "fake-2"
    server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    #expect(try world.kinds().suffix(2) == ["session.ended", "revocation.queued"])
    #expect(try await book.sync().delivered == 1)
    #expect(revoked == ["refresh-2", "access-2"])
  }

  @Test func `a demand that was not met leaves the session as it was`() async throws {
    let pending = try await book.beginLogIn(byPage())
    let ada = try await book.finishLogIn(redirect: try await redirect(of: pending))
    server.settings.isStrong = false
    let (method, options) = try await book.stepUpLogin(
      of: ada.account, to: StepUp(contextClasses: ["urn:example:two-factors"]),
      redirectURI: "com.example.app:/back")
    let stronger = try await book.beginLogIn(method, options: options)
    let redirect = try await redirect(of: stronger)
    await expect(.loginUnprovable) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(try world.kinds().suffix(2) == ["login.failed", "revocation.queued"])
    #expect(try await book.sync().delivered == 1)
    #expect(revoked == ["access-4"])
    #expect(try await book.renewNow(ada.account))
  }

  @Test func `another user's login for an account is taken back, and its own live session is not`()
    async throws
  {
    let ada = try await book.logIn(method())
    server.settings.subject = "another"
    // Named by page: nobody knows who it is before.
    let pending = try await book.beginLogIn(byPage())
    let other = try await redirect(of: pending)
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: other, account: ada.account)
    }
    #expect(revoked == ["refresh-3", "access-3"])
    // Now the other one has a session here.
    let ben = try await book.finishLogIn(
      redirect: try await redirect(of: try await book.beginLogIn(byPage())))
    #expect(ben.account != ada.account)
    let again = try await redirect(of: try await book.beginLogIn(byPage()))
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: again, account: ada.account)
    }
    #expect(revoked.dropFirst(2) == ["access-7"])
    #expect(try await book.renewNow(ben.account))
  }

  @Test(arguments: [false, true])
  func `an erase while a login runs hides nothing of its end`(isNamed: Bool) async throws {
    let ada = try await book.logIn(method())
    server.settings.changes[.claims] = ["aud": #""other""#]
    let gate = Gate(isOpen: false)
    let held = try await world.open(
      ScriptedTransport { [line] request, route throws(TransportFailure) in
        if request.url.path == "/token" { await gate.pass() }
        return try await line.send(request, through: route)
      })
    var options = LoginOptions()
    options.account = isNamed ? ada.account : nil
    let (method, asked) = (try method(), options)
    let login = Task { try? await held.logIn(method, options: asked) }
    await gate.arrival()
    _ = try await book.erase(ada.account)
    await gate.open()
    #expect(await login.value == nil)
    #expect(try world.kinds().suffix(2) == ["login.failed", "revocation.succeeded"])
    let events = try await book.events(after: .start).suffix(2)
    #expect(events.allSatisfy { $0.account == nil && $0.personal == nil })
    #expect(revoked.suffix(2) == ["refresh-2", "access-2"], "\(revoked)")
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a known user's failed login for another account is part of that account's story`()
    async throws
  {
    let ada = try await book.finishLogIn(
      redirect: try await redirect(of: try await book.beginLogIn(byPage())))
    server.settings.subject = "another"
    let ben = try await book.logIn(method())
    var options = LoginOptions()
    options.account = ada.account
    line.isCut.value = true
    let count = try world.kinds().count
    let method = try method()
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.logIn(method, options: options)
    }
    let events = Array(try await book.events(after: .start).dropFirst(count))
    #expect(events.map(\.kind) == ["login.started", "login.failed", "revocation.queued"])
    // The grant waits under its own user, whose key encrypts it.
    #expect(events.map(\.account) == [ada.account, ada.account, ben.account])
    #expect(events.first?.data["name"] != nil)
    #expect(events.allSatisfy { $0.personal == nil })
    let why = Told(try await book.why(ada.account))
    #expect(
      why.steps.last?.hasSuffix("failed: the server logged in another user than the account's.")
        == true,
      "\(why)")
    #expect(why.advice == .nothing)
    let failure = try #require(try await book.why(events[1].position))
    #expect(failure.advice == .checkIdentity)
    line.isCut.value = false
    #expect(try await book.sync(ben.account).delivered == 1)
    #expect(revoked == ["access-4"])
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
    #expect(try await book.renewNow(ben.account))
  }

  @Test func `a token that a session lives by is never taken back`() async throws {
    // Such servers answer each login with the tokens that they gave before.
    let isNamed = TestBox(true)
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      switch request.url.path {
      case "/token":
        HTTPReply(
          status: 200,
          body: Array(
            #"{"access_token":"same","refresh_token":"same-r","token_type":"Bearer"}"#.utf8))
      case "/me":
        isNamed.value
          ? HTTPReply(status: 200, body: Array(#"{"sub":"1"}"#.utf8)) : HTTPReply(status: 503)
      default: HTTPReply(status: 200)
      }
    }
    let book = try await world.open(transport)
    let method = try plain("/revoke")
    _ = try await book.logIn(method)
    isNamed.value = false
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.logIn(method)
    }
    #expect(try world.kinds().last == "login.failed")
    _ = try await book.sync()
    #expect(!transport.requests.contains { $0.url.path == "/revoke" })
  }

  @Test func `what waits to be taken back is looked at again where a session lives`() async throws {
    let ada = try await book.logIn(method())
    _ = try await book.logOut(ada.account)
    let before = revoked.count
    line.isCut.value = true
    server.settings.changes[.claims] = ["aud": #""other""#]
    let failed = try? await book.logIn(method())
    #expect(failed == nil)
    server.settings.changes = [:]
    _ = try await book.logIn(method())
    line.isCut.value = false
    world.clock.advance(by: .seconds(60))
    #expect(try await book.sync().waiting == 0)
    // The refresh token may stand for the new session too.
    #expect(revoked.dropFirst(before).allSatisfy { $0.hasPrefix("access-") }, "\(revoked)")
    #expect(revoked.count == before + 1)
    let notes = try #require(HTTPURL("\(server.url)/notes"))
    #expect(try await book.send(.get(notes)).status == 200)
  }
}
