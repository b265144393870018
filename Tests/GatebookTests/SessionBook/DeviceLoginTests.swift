import Gatebook
import GatebookTestSupport
import Testing

/// Logins whose code the person enters on another device.
@Suite struct DeviceLoginTests {
  /// Shows codes, and no pages.
  private final class Screen: Browser {
    let codes = TestBox<[DeviceCode]>([])
    let pages = TestBox<[String]>([])
    private let whenShown: @Sendable () -> Void

    init(_ whenShown: @escaping @Sendable () -> Void = {}) {
      self.whenShown = whenShown
    }

    func open(_ page: HTTPURL) async throws(GatebookError) {
      pages.withLock { $0.append(page.description) }
    }

    func redirect() async throws(GatebookError) -> String {
      throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
    }

    func show(_ code: DeviceCode) async throws(GatebookError) {
      codes.withLock { $0.append(code) }
      whenShown()
    }
  }

  /// Opens pages, and knows nothing of codes.
  private struct Window: Browser {
    let pages = TestBox<[String]>([])

    func open(_ page: HTTPURL) async throws(GatebookError) {
      pages.withLock { $0.append(page.description) }
    }

    func redirect() async throws(GatebookError) -> String {
      throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
    }
  }

  private static let site = "https://auth.example"

  private func method(
    _ authentication: OAuth2Application.Authentication = .none
  ) throws -> LoginMethod {
    var server = OAuth2Server()
    server.deviceAuthorisationURL = HTTPURL("\(Self.site)/device")
    server.revocationURL = HTTPURL("\(Self.site)/revoke")
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(Self.site)/token")), server,
      application: OAuth2Application(clientID: "app", authentication: authentication),
      flow: .device,
      checkURL: HTTPURL("https://api.example/me"), user: "ada")
  }

  private static func json(_ status: Int, _ body: String) -> HTTPReply {
    HTTPReply(status: status, body: Array(body.utf8))
  }

  private static let codes = json(
    200,
    """
    {"device_code":"dev-secret","user_code":"ABCD","verification_uri":"\(site)/enter",
    "verification_uri_complete":"\(site)/enter?c=ABCD","expires_in":1800}
    """)
  private static let granted = json(
    200,
    """
    {"access_token":"acc-secret","token_type":"bearer","refresh_token":"ref-secret",
    "expires_in":600,"scope":"read write"}
    """)

  /// Answers so many polls with "not yet"; each is told of first, counted from 1.
  private func transport(
    pending: Int, refusal: String = "authorization_pending",
    onPoll: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> ScriptedTransport {
    let polls = TestBox(0)
    return ScriptedTransport { request, _ throws(TransportFailure) in
      switch request.url.path {
      case "/device": return Self.codes
      case "/revoke": return HTTPReply(status: 200)
      case "/token":
        let count = polls.withLock {
          $0 += 1
          return $0
        }
        await onPoll(count)
        return count > pending
          ? Self.granted : Self.json(400, "{\"error\":\"\(refusal)\"}")
      default:
        let isOpen = request.fields.contains { $0.value == "Bearer acc-secret" }
        return HTTPReply(status: isOpen ? 200 : 401)
      }
    }
  }

  @Test func `it waits for the person as long as the code lives`() async throws {
    let world = try TestBook()
    let transport = transport(pending: 100)
    let book = try await world.open(transport)
    let start = world.clock.now()
    let screen = Screen()
    let ada = try await book.logIn(method(), browser: screen)
    #expect(ada.state == .active)
    #expect(screen.codes.value.map(\.userCode) == ["ABCD"])
    #expect(screen.pages.value.isEmpty)
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 101)
    #expect(world.clock.now().boot - start.boot == .seconds(505))
    #expect(
      try world.kinds().suffix(6).dropLast(2) == [
        "login.started", "challenge.received", "challenge.answered", "account.added",
      ])
    let success = try BookReader.open(at: world.path).events(EventFilter())
      .first { $0.kind == "login.succeeded" }
    #expect(success?.data["scope"] == "read write")
    let later = try await world.open(transport)
    let reply = try await later.send(
      .get(try #require(HTTPURL("https://api.example/me"))), as: ada.account)
    #expect(reply.status == 200)
  }

  @Test func `a code that nobody enters ends the login, and nothing else`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: .max))
    let method = try method()
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(try await book.accounts().isEmpty)
    #expect(try world.kinds().last == "login.failed")
  }

  @Test func `the application's secret with each question does not answer for the person`()
    async throws
  {
    let world = try TestBook()
    let book = try await world.open(transport(pending: .max))
    let method = try method(.basic(Secret("app-secret")))
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(
      try world.kinds().suffix(4) == [
        "login.started", "challenge.received", "challenge.failed", "login.failed",
      ])
  }

  @Test func `a browser without codes opens the page that has the code in it`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: 0))
    let window = Window()
    _ = try await book.logIn(method(), browser: window)
    #expect(window.pages.value == ["\(Self.site)/enter?c=ABCD"])
  }

  @Test func `without a browser nobody could enter the code`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: 0))
    let method = try method()
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await book.logIn(method)
    }
  }

  // MARK: Other processes, and after a restart

  /// Begins a login and leaves it as a process that was killed would.
  private func abandoned(
    in world: TestBook, _ transport: ScriptedTransport
  ) async throws -> (image: TestBook, shown: [DeviceCode]) {
    let book = try await world.open(transport)
    let image = TestBox<TestBook?>(nil)
    let screen = Screen { image.value = try? world.crashImage() }
    _ = try await book.logIn(method(), browser: screen)
    let left = try #require(image.value)
    left.clock.set(world.clock.now())
    return (left, screen.codes.value)
  }

  private static func cancelAll(_ book: SessionBook?) async {
    for login in (try? await book?.deviceLogins()) ?? [] {
      _ = try? await book?.cancelLogIn(login.id)
    }
  }

  @Test func `it goes on after a restart, with the same code`() async throws {
    let world = try TestBook()
    let (image, shown) = try await abandoned(in: world, transport(pending: 0))
    let transport = transport(pending: 2)
    let book = try await image.open(transport)
    let login = try #require(try await book.deviceLogins().first)
    #expect(login.code.userCode == "ABCD")
    #expect(login.code.page == shown.first?.page)
    #expect(login.server.description == Self.site)
    #expect(try await book.pendingLogins().isEmpty, "no redirect is awaited")
    let screen = Screen()
    let ada = try await book.resumeLogIn(login.id, browser: screen)
    #expect(ada.state == .active)
    #expect(screen.codes.value.map(\.userCode) == ["ABCD"])
    #expect(
      !transport.requests.contains { $0.url.path == "/device" }, "the code was asked for again")
    #expect(
      try image.kinds().suffix(6).dropLast(2) == [
        "login.started", "challenge.received", "challenge.answered", "account.added",
      ])
    #expect(try await book.deviceLogins().isEmpty)
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id)
    }
  }

  @Test func `a server that wants to be asked less often is, also after a restart`() async throws {
    let world = try TestBook()
    let image = TestBox<TestBook?>(nil)
    // It dies while the answer to the third question is on its way.
    let slow = transport(pending: 3, refusal: "slow_down") { count in
      guard count == 3 else { return }
      let copy = try? world.crashImage()
      copy?.clock.set(world.clock.now())
      image.value = copy
    }
    let start = world.clock.now()
    _ = try await world.open(slow).logIn(method(), browser: Screen())
    let left = try #require(image.value)
    #expect(left.clock.now().boot - start.boot == .seconds(5 + 10 + 15))
    let told = try BookReader.open(at: left.path).events(EventFilter())
      .filter { $0.kind == "challenge.received" }
    #expect(told.map { $0.data["interval"] } == [nil, 10_000_000, 15_000_000])
    #expect(told.allSatisfy { $0.data["round"] == 1 && $0.data["scheme"] == "device" })
    let book = try await left.open(transport(pending: 0))
    let before = left.clock.now()
    let login = try #require(try await book.deviceLogins().first)
    let ada = try await book.resumeLogIn(login.id)
    #expect(ada.state == .active)
    #expect(left.clock.now().boot - before.boot == .seconds(15))
  }

  @Test func `who cancels it is not undone by a server that wants to be asked less often`()
    async throws
  {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    let transport = transport(pending: .max, refusal: "slow_down") { count in
      if count == 2 { await Self.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(try await book.deviceLogins().isEmpty)
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 2)
  }

  @Test func `the portal of a strange network does not end the wait`() async throws {
    let world = try TestBook()
    let polls = TestBox(0)
    let inner = transport(pending: 0)
    let transport = ScriptedTransport { request, route throws(TransportFailure) in
      let isPoll = request.url.path == "/token"
      let count = polls.withLock { polls in
        if isPoll { polls += 1 }
        return polls
      }
      guard !isPoll || count > 3 else {
        return HTTPReply(status: 200, body: Array("<!DOCTYPE html><p>Agree?</p>".utf8))
      }
      return try await inner.send(request, through: route)
    }
    let ada = try await world.open(transport).logIn(method(), browser: Screen())
    #expect(ada.state == .active)
    #expect(polls.value == 4)
  }

  @Test func `the code's life goes on while nobody waits`() async throws {
    let world = try TestBook()
    let (image, _) = try await abandoned(in: world, transport(pending: 0))
    let book = try await image.open(transport(pending: 0))
    let login = try #require(try await book.deviceLogins().first)
    image.clock.advance(by: .seconds(1000))
    let rest = login.code.lifetime - .seconds(1000)
    #expect(try await book.deviceLogins().map(\.code.lifetime) == [rest])
    image.clock.advance(by: rest)
    #expect(try await book.deviceLogins().isEmpty)
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id)
    }
    #expect(
      try image.kinds().suffix(3) == ["challenge.received", "challenge.failed", "login.failed"])
  }

  @Test func `the next login ends those whose code has lived`() async throws {
    let world = try TestBook()
    let (image, _) = try await abandoned(in: world, transport(pending: 0))
    let book = try await image.open(transport(pending: 0))
    image.clock.advance(by: .seconds(1800))
    _ = try await book.logIn(method(), browser: Screen())
    let kinds = try image.kinds()
    #expect(kinds.filter { $0 == "login.failed" }.count == 1)
    #expect(kinds.filter { $0 == "challenge.failed" }.count == 1)
    #expect(kinds.filter { $0 == "login.succeeded" }.count == 1)
  }

  @Test func `who cancels it ends the wait of all, and a grant that comes then is given back`()
    async throws
  {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    // Cancelled while the answer to the last question is on its way.
    let transport = transport(pending: 3) { count in
      if count == 4 { await Self.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(try await book.accounts().isEmpty)
    #expect(
      try world.kinds().suffix(5) == [
        "login.started", "challenge.received", "challenge.cancelled", "login.cancelled",
        "revocation.succeeded",
      ])
    let revoked = transport.requests.filter { $0.url.path == "/revoke" }
    #expect(revoked.count == 2)
  }

  @Test func `once cancelled, nobody asks the server any more`() async throws {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    let transport = transport(pending: .max) { count in
      if count == 2 { await Self.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 2)
  }

  @Test func `of two that wait one gets the grant, and both the session`() async throws {
    let world = try TestBook()
    let (image, _) = try await abandoned(in: world, transport(pending: 0))
    // The code is good for one grant.
    let grants = TestBox(0)
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      guard request.url.path == "/token" else {
        let isOpen = request.fields.contains { $0.value == "Bearer acc-secret" }
        return HTTPReply(status: isOpen ? 200 : 401)
      }
      let count = grants.withLock {
        $0 += 1
        return $0
      }
      return count == 1 ? Self.granted : Self.json(400, "{\"error\":\"invalid_grant\"}")
    }
    let first = try await image.open(transport)
    let second = try await image.open(transport)
    let login = try #require(try await first.deviceLogins().first)
    async let one = first.resumeLogIn(login.id)
    async let two = second.resumeLogIn(login.id)
    let sessions = try await [one.session, two.session]
    #expect(sessions == [login.id, login.id])
    #expect(try image.kinds().filter { $0 == "login.succeeded" }.count == 1)
    #expect(!(try image.kinds().contains("login.failed")))
  }

  @Test func `one account's code is not for another account`() async throws {
    let world = try TestBook()
    let (image, _) = try await abandoned(in: world, transport(pending: 0))
    let book = try await image.open(transport(pending: 0))
    let login = try #require(try await book.deviceLogins().first)
    let ada = try await book.resumeLogIn(login.id)
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id, account: ada.account)
    }
    let nobody = AccountID(high: 9, low: 9)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id, account: nobody)
    }
  }

  @Test func `nothing of a waiting code is readable in the book`() async throws {
    let world = try TestBook()
    let (image, _) = try await abandoned(in: world, transport(pending: 0))
    for file in [image.path, "\(image.path)-wal"] {
      let bytes = TestFile.read(file).bytes
      for secret in ["dev-secret", "ABCD"] {
        #expect(!bytes.contains(Array(secret.utf8)), "\(secret) in \(file)")
      }
    }
  }
}
