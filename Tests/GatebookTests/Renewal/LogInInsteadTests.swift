import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Saved credentials instead of a renewal, where a session has no refresh token or stays uncertain:
/// used once, without asking, and never again automatically after a refusal.
@Suite struct LogInInsteadTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: SessionContext

  init() async throws {
    world = try TestBook()
    server = TokenServer(world.clock)
    server.settings.givesRefreshTokens = false
    book = try await world.open(server.transport)
    var options = LoginOptions()
    options.saveCredentials = true
    ada = try await book.logIn(server.method(), options: options)
  }

  /// The passwords that were sent after the first login.
  private var passwords: Int { server.asked.count { $0 == "password" } - 1 }

  private func state() async throws -> SessionState {
    try await book.context(of: ada.account).state
  }

  private func failures() throws -> [Facts] {
    var filter = EventFilter()
    filter.kind = "login.failed"
    return try BookReader.open(at: world.path).events(filter).map(\.data)
  }

  private func expectSound() throws {
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  // MARK: Nothing to renew with

  @Test(arguments: ["send", "token", "renewNow", "sync"])
  func `a session whose life is over is logged in again, once and in silence`(
    _ use: String
  ) async throws {
    let heard = HeardLogins()
    await book.setLoginDelegate(heard)
    server.advance(600)
    // What can live on is not shown as expired.
    #expect(try await state() == .active)
    if use == "sync" { _ = try await book.restore(ada.account) }
    let before = try world.kinds().count
    for _ in 1...2 {
      switch use {
      case "send": #expect(try await book.send(server.page()).status == 200)
      case "token": #expect(try await book.token().value == Secret("acc-2"))
      case "sync": #expect(try await book.sync().failures.isEmpty)
      default: if passwords == 0 { #expect(try await book.renewNow(ada.account)) }
      }
    }
    let news = try world.kinds().dropFirst(before)
    #expect(
      news.prefix(4)
        == ["login.started", "credentials.loaded", "login.succeeded", "credentials.saved"],
      "\(news)")
    #expect(passwords == 1)
    let context = try await book.context(of: ada.account)
    #expect(context.state == .active)
    #expect(context.session != ada.session)
    #expect(context.user == ada.user)
    #expect(await heard.heard.filter { $0 != "loaded" } == ["response", "saved"])
    let sessions = try BookReader.open(at: world.path).sessions()
    #expect(sessions.map(\.reason) == [.replaced, nil])
    try expectSound()
  }

  @Test func `a logout while what was saved is on its way has the last word`() async throws {
    server.advance(600)
    await server.gate.shut()
    let use = Task { [book] () async -> FailureCode? in
      do throws(GatebookError) {
        _ = try await book.token()
        return nil
      } catch {
        return error.code
      }
    }
    await server.gate.arrival()
    _ = try await book.logOut(ada.account)
    await server.gate.open()
    #expect(await use.value == .sessionRefused)
    #expect(try await state() == .ended(.user))
    try expectSound()
  }

  @Test func `a token that must live longer is a new one`() async throws {
    server.advance(400)
    #expect(try await book.token(minimumLifetime: .seconds(150)).value == Secret("acc-1"))
    #expect(try await book.token(minimumLifetime: .seconds(300)).value == Secret("acc-2"))
    #expect(passwords == 1)
  }

  @Test func `a session that the server has forgotten is logged in again`() async throws {
    server.endTokens()
    #expect(try await book.send(server.page()).status == 200)
    #expect(passwords == 1)
    #expect(try await book.send(server.page()).status == 200)
    #expect(passwords == 1)
  }

  @Test func `a page that refuses everybody says nothing about the session`() async throws {
    for _ in 1...3 { #expect(try await book.send(server.closedPage()).status == 401) }
    #expect(passwords == 0)
    #expect(try await state() == .active)
  }

  @Test func `two books that find it over log in once`() async throws {
    let other = try await world.open(server.transport)
    server.advance(600)
    await server.gate.shut()
    let uses = [book, other].map { book in
      Task { [server] in try await book.send(server.page()).status }
    }
    await server.gate.arrival()
    for _ in 1...200 { _ = try await other.accounts() }
    await server.gate.open()
    for use in uses { #expect(try await use.value == 200) }
    #expect(passwords == 1)
  }

  @Test func `while the server is away the session waits for it`() async throws {
    server.advance(600)
    server.settings.isDown = true
    let page = try server.page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(try await state() == .active)
    server.settings.isDown = false
    server.settings.isInTrouble = true
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(try await state() == .active)
    #expect(try world.kinds().last == "refresh.deferred")
    server.settings.isInTrouble = false
    server.advance(120)
    #expect(try await book.send(page).status == 200)
    try expectSound()
  }

  @Test(arguments: [false, true])
  func `a password that is refused is sent once, and the session ends`(
    isForgotten: Bool
  ) async throws {
    server.settings.refusesPasswords = true
    let page = try server.page()
    if isForgotten {
      server.endTokens()
      #expect(try await book.send(page).status == 401)
    } else {
      server.advance(600)
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.send(page) }
    }
    let end = SessionState.needsLogin(isForgotten ? .refused : .expired)
    #expect(try await state() == end)
    #expect(try await book.context(of: ada.account).isRecorded)
    #expect(passwords == 1)
    #expect(try failures().first?["code"] == "credentials.refused")
    #expect(try failures().first?["halted"] == true)
    for _ in 1...3 {
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.send(page) }
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
      _ = try await book.sync()
    }
    #expect(passwords == 1)
    #expect(try await !book.hasSavedLogin(ada.account))
    // A person may try it once more: the account may have been mended.
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada.account)
    }
    server.settings.refusesPasswords = false
    #expect(try await book.logInAgain(ada.account).state == .active)
    #expect(try await book.hasSavedLogin(ada.account))
    try expectSound()
  }

  @Test(arguments: [false, true])
  func `a token endpoint that is somewhere else ends no session, and is asked once`(
    isForgotten: Bool
  ) async throws {
    server.settings.isMisplaced = true
    let page = try server.page()
    if isForgotten { server.endTokens() } else { server.advance(600) }
    if isForgotten {
      #expect(try await book.send(page).status == 401)
    } else {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await book.send(page)
      }
    }
    #expect(try failures().map { $0["halted"] } == [nil])
    #expect(try world.kinds().last == (isForgotten ? "request.refused" : "refresh.deferred"))
    let before = try world.kinds().count
    for _ in 1...3 {
      if isForgotten {
        // Nothing can be done about it: it is the caller's.
        #expect(try await book.send(page).status == 401)
      } else {
        await expect(.configurationInvalid) { () throws(GatebookError) in
          _ = try await book.send(page)
        }
      }
    }
    #expect(try world.kinds().count == before)
    #expect(try await state() == .active)
    #expect(try await book.hasSavedLogin(ada.account))
    // The setting, or the server, was mended.
    server.settings.isMisplaced = false
    #expect(try await book.renewNow(ada.account))
    #expect(try await book.send(page).status == 200)
    #expect(passwords == 1)
    try expectSound()
  }

  @Test func `what it has serves until its end though the token endpoint is somewhere else`()
    async throws
  {
    server.settings.isMisplaced = true
    server.advance(400)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.token(minimumLifetime: .seconds(300))
    }
    for _ in 1...3 { #expect(try await book.send(server.page()).status == 200) }
    server.advance(200)
    #expect(try await state() == .active)
    #expect(try failures().count == 1)
  }

  @Test func `a session that lives outlives the refusal until its end`() async throws {
    server.settings.refusesPasswords = true
    server.advance(400)
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await book.token(minimumLifetime: .seconds(300))
    }
    for _ in 1...3 {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await book.token(minimumLifetime: .seconds(300))
      }
      #expect(try await book.send(server.page()).status == 200)
    }
    #expect(passwords == 1)
    server.advance(200)
    #expect(try await state() == .needsLogin(.expired))
    #expect(try await !book.context(of: ada.account).isRecorded)
    #expect(passwords == 1)
  }

  // MARK: In doubt for good

  /// A session whose refresh token was sent twice without an answer, by a renewal after so many
  /// seconds; the password that was saved is then refused.
  private func doubt(after seconds: Int, expecting code: FailureCode) async throws {
    server.settings.givesRefreshTokens = true
    var options = LoginOptions()
    options.saveCredentials = true
    _ = try await book.logIn(server.method(), options: options)
    server.advance(seconds)
    server.settings.lostQuestions = 2
    server.settings.refusesPasswords = true
    let before = passwords
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    await expect(code) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    #expect(passwords == before + 1)
  }

  @Test func `two answers that were lost are made up for by what was saved`()
    async throws
  {
    server.settings.givesRefreshTokens = true
    var options = LoginOptions()
    options.saveCredentials = true
    _ = try await book.logIn(server.method(), options: options)
    server.advance(600)
    server.settings.lostQuestions = 2
    let before = passwords
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == before)
    server.advance(3)
    _ = try await book.token()
    #expect(passwords == before + 1)
    #expect(try await state() == .active)
    try expectSound()
  }

  @Test func `an uncertain session whose password is wrong ends, and nothing more is sent`()
    async throws
  {
    try await doubt(after: 600, expecting: .sessionRefused)
    let before = passwords
    let page = try server.page()
    for _ in 1...3 {
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.send(page) }
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
      _ = try await book.sync()
    }
    #expect(passwords == before)
    #expect(try await state() == .needsLogin(.refusedAfterUnknownOutcome))
    let last = try #require(try await book.events(after: .start).last)
    #expect(last.kind == "session.ended")
    let cause = try #require(last.cause)
    #expect(
      try await book.events(after: .start).first { $0.position == cause }?.kind == "login.failed")
    try expectSound()
  }

  @Test func `what it has serves until its end`() async throws {
    try await doubt(after: 500, expecting: .networkUnreachable)
    server.advance(60)
    let before = passwords
    for _ in 1...3 { #expect(try await book.send(server.page()).status == 200) }
    #expect(passwords == before)
    #expect(try await state() == .uncertain)
    server.advance(60)
    let page = try server.page()
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(passwords == before)
    #expect(try await state() == .needsLogin(.refusedAfterUnknownOutcome))
  }

  @Test func `another user's answer ends the lost session, and the error says so`() async throws {
    server.settings.givesRefreshTokens = true
    var options = LoginOptions()
    options.saveCredentials = true
    _ = try await book.logIn(server.method(), options: options)
    server.advance(600)
    server.settings.lostQuestions = 2
    server.settings.subject = "249"
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.token() }
    server.advance(3)
    await expect(.identityMismatch) { () throws(GatebookError) in _ = try await book.token() }
    #expect(try await state() == .needsLogin(.refusedAfterUnknownOutcome))
    try expectSound()
  }

  // MARK: Nothing to save

  @Test func `a login that leaves nothing but an access token saves nothing`() async throws {
    for gives in [false, true] {
      let world = try TestBook()
      let server = try FakeIdentityServer(clock: world.clock)
      server.settings.givesRefreshTokens = gives
      try server.start()
      let book = try await world.open(CurlTransport())
      let heard = HeardLogins()
      await book.setLoginDelegate(heard)
      var options = LoginOptions()
      options.saveCredentials = true
      let pending = try await book.beginLogIn(
        .openID(
          issuer: try #require(Issuer(server.url)),
          application: OAuth2Application(clientID: FakeIdentityServer.clientID),
          flow: .code(redirectURI: "com.example.app:/back")),
        options: options)
      let reply = try await CurlTransport().send(
        .get(pending.page), through: Route(pool: "person", trust: .system))
      let ada = try await book.finishLogIn(redirect: try #require(reply.fields.first("Location")))
      #expect(try world.kinds().contains("credentials.saved") == gives)
      #expect(try await book.hasSavedLogin(ada.account) == gives)
      #expect(await heard.heard == (gives ? ["response", "saved"] : ["response"]))
      guard !gives else { continue }
      world.clock.advance(by: .seconds(600))
      #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
      await expect(.sessionRefused) { () throws(GatebookError) in
        _ = try await book.logInAgain(ada.account)
      }
    }
  }
}
