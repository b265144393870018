import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 2 for a login with a saved refresh token: what is good for one use is in the log before it
/// is sent, and is sent twice at most when its answer is lost.
@Suite struct SavedUseTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  /// Ada has saved her refresh token, and logged out.
  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    ada = try await book.logIn(server.method()).account
    try await book.saveToken(of: ada)
    try await book.logOut(ada)
  }

  private func events(_ world: TestBook, _ kind: EventKind) throws -> [RecordedEvent] {
    var filter = EventFilter()
    filter.kind = kind.rawValue
    return try BookReader.open(at: world.path).events(filter)
  }

  private func attempts(_ world: TestBook) throws -> [Int64?] {
    try events(world, .credentialsLoaded).map { $0.data["attempt"]?.integer }
  }

  /// What a process leaves that dies when its request is on the way.
  private func dieOnTheWay(serverActs: Bool) async throws -> TestBook {
    await server.gate.shut()
    if !serverActs { server.settings.lostQuestions = 1 }
    let dying = Task { [book, ada] in try? await book.logInAgain(ada) }
    await server.gate.arrival()
    let image = try world.crashImage()
    await server.gate.open()
    _ = await dying.value
    return image
  }

  private func expectRefused(_ book: SessionBook) async throws {
    let error = await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    #expect(error?.remedy == "Log in.")
  }

  @Test func `it is in the log before its request leaves`() async throws {
    let image = try await dieOnTheWay(serverActs: true)
    #expect(try image.kinds().suffix(2) == ["login.started", "credentials.loaded"])
    let loaded = try #require(try events(image, .credentialsLoaded).last)
    #expect(loaded.data["attempt"]?.integer == 1)
    #expect(loaded.data["fingerprint"]?.text?.count == 32)
    #expect(loaded.cause == (try events(image, .loginStarted).last?.position))
    // In the process that lives all went well, and the next token is another one.
    #expect(try await book.context(of: ada).state == .active)
    try await book.logOut(ada)
    #expect(try await book.logInAgain(ada).state == .active)
    let prints = try events(world, .credentialsLoaded).map { $0.data["fingerprint"]?.text }
    #expect(Set(prints).count == 2)
    #expect(try attempts(world) == [1, 1])
  }

  @Test func `an answer that was lost with its process ends in a refusal that says why`()
    async throws
  {
    let image = try await dieOnTheWay(serverActs: true)
    let book = try await image.open(server.transport)
    let before = try image.kinds().count
    try await expectRefused(book)
    #expect(
      try image.kinds().dropFirst(before)
        == ["login.failed", "login.started", "credentials.loaded", "login.failed"])
    let failures = try events(image, .loginFailed)
    #expect(failures.first?.data == ["code": "outcome.unknown", "unanswered": true])
    #expect(
      failures.last?.data
        == [
          "code": "credentials.refused", "error": "invalid_grant", "halted": true,
          "reason": "refusedAfterUnknownOutcome", "status": 400,
        ])
    #expect(try attempts(image) == [1, 2])
    #expect(server.refreshTokensSent == ["ref-1", "ref-1"])
    #expect(try await !book.hasSavedLogin(ada))
    #expect(try await book.context(of: ada).state == .ended(.user))
    // It is used up: nothing more is sent, and nothing more is said.
    let end = try image.kinds().count
    for _ in 1...3 { try await expectRefused(book) }
    #expect(server.refreshTokensSent.count == 2)
    #expect(try image.kinds().count == end)
    #expect(try BookReader.open(at: image.path).checkProjections().ok)
    #expect(try await book.logIn(server.method()).state == .active)
  }

  @Test func `what its session has sent without an answer counts on after a logout`() async throws {
    _ = try await book.logIn(server.method())
    try await book.saveToken(of: ada)
    server.settings.lostQuestions = 2
    for _ in 1...2 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await book.renewNow(ada)
      }
    }
    #expect(server.refreshTokensSent.isEmpty)
    try await book.logOut(ada)
    let before = server.refreshTokensSent.count
    try await expectRefused(book)
    #expect(server.refreshTokensSent.count == before)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a logout meanwhile is the last word, and what came is saved`() async throws {
    let other = try await world.open(server.transport)
    await server.gate.shut()
    let login = Task { [book, ada] () -> FailureCode? in
      do throws(GatebookError) {
        _ = try await book.logInAgain(ada)
        return nil
      } catch {
        return error.code
      }
    }
    await server.gate.arrival()
    try await other.logOut(ada)
    await server.gate.open()
    #expect(await login.value == .sessionRefused)
    #expect(try await book.context(of: ada).state == .ended(.user))
    #expect(try world.kinds().suffix(2) == ["logout.requested", "login.cancelled"])
    #expect(try await other.logInAgain(ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a session that has the same token takes its lost answer for its own`() async throws {
    _ = try await book.logIn(server.method())
    try await book.saveToken(of: ada)
    let image = try await dieOnTheWay(serverActs: true)
    let book = try await image.open(server.transport)
    image.clock.advance(by: .seconds(600))
    let before = try image.kinds().count
    await expect(.tokenRefused) { () throws(GatebookError) in _ = try await book.token() }
    #expect(
      try image.kinds().dropFirst(before) == [
        "login.failed", "session.uncertain", "refresh.started", "refresh.failed", "session.ended",
      ])
    #expect(
      try await book.context(of: ada).state == .needsLogin(.refusedAfterUnknownOutcome))
    #expect(server.refreshTokensSent == ["ref-2", "ref-2"])
  }

  /// A session that renews itself with what was saved.
  private func logInWithSavedToken() async throws {
    _ = try await book.logIn(server.method())
    try await book.saveToken(of: ada)
  }

  @Test func `a renewal that was begun and has no end was the first use of the same token`()
    async throws
  {
    try await logInWithSavedToken()
    try await book.leaveIntent(of: ada)
    let before = try world.kinds().count
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(
      try world.kinds().dropFirst(before).prefix(3)
        == ["session.uncertain", "login.started", "credentials.loaded"])
    #expect(try attempts(world) == [2])
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `what a renewal and a login have sent without an answer is not sent again`()
    async throws
  {
    try await logInWithSavedToken()
    try await book.leaveIntent(of: ada)
    server.settings.lostQuestions = 1
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    server.advance(600)
    await expect(.outcomeUnknown) { () throws(GatebookError) in _ = try await book.token() }
    try await expectRefused(book)
    #expect(server.refreshTokensSent.isEmpty)
    #expect(try await book.context(of: ada).state == .uncertain)
  }

  @Test func `a token that two renewals have sent without an answer is used up`() async throws {
    try await logInWithSavedToken()
    server.settings.lostQuestions = 2
    for _ in 1...2 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await book.renewNow(ada)
      }
    }
    try await expectRefused(book)
    #expect(try attempts(world).isEmpty)
    #expect(server.refreshTokensSent.isEmpty)
  }

  @Test func `a request that died before the server acted is made up for`() async throws {
    let image = try await dieOnTheWay(serverActs: false)
    let book = try await image.open(server.transport)
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(try attempts(image) == [1, 2])
    #expect(try await book.savedUse(of: ada) == nil)
    #expect(try await book.hasSavedLogin(ada))
    try await book.logOut(ada)
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(try attempts(image) == [1, 2, 1])
    #expect(try BookReader.open(at: image.path).checkProjections().ok)
  }

  @Test func `a request that was not sent is no use of it, an answer that was lost is one`()
    async throws
  {
    server.settings.isDown = true
    for _ in 1...3 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await book.logInAgain(ada)
      }
    }
    #expect(try attempts(world) == [1, 1, 1])
    server.settings.isDown = false
    server.settings.isInTrouble = true
    await expect(.serverUnavailable) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    server.settings.isInTrouble = false
    server.settings.lostAnswers = 1
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    #expect(try events(world, .loginFailed).last?.data["unanswered"]?.bool == true)
    server.settings.isDown = true
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    server.settings.isDown = false
    try await expectRefused(book)
    #expect(try attempts(world) == [1, 1, 1, 1, 1, 2, 2])
    #expect(server.refreshTokensSent == ["ref-1", "ref-1"])
  }

  @Test func `after two answers that were lost it counts as used up`() async throws {
    server.settings.lostQuestions = 2
    for _ in 1...2 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await book.logInAgain(ada)
      }
    }
    let last = try #require(try events(world, .loginFailed).last)
    #expect(last.data["unanswered"]?.bool == true)
    #expect(last.data["halted"]?.bool == true)
    let before = try world.kinds().count
    for _ in 1...3 { try await expectRefused(book) }
    #expect(try attempts(world) == [1, 2])
    #expect(try world.kinds().count == before)
    #expect(server.refreshTokensSent.isEmpty)
    // Where the server has never seen it, who insists is logged in.
    #expect(try await book.logInAgain(ada, evenIfUsedUp: true).state == .active)
    #expect(try attempts(world) == [1, 2, 3])
    #expect(server.refreshTokensSent == ["ref-1"])
    #expect(try await book.hasSavedLogin(ada))
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
    try await book.logOut(ada)
    #expect(try await book.logInAgain(ada).state == .active)
  }

  @Test func `who cancels does not lose what the server grants`() async throws {
    let impatient = try await world.open(ImpatientTransport(base: server.transport))
    await server.gate.shut()
    let login = Task { [ada] in try? await impatient.logInAgain(ada) }
    await server.gate.arrival()
    login.cancel()
    await server.gate.open()
    _ = await login.value
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.token().value == Secret("acc-2"))
  }

  @Test func `two books that log in at once use it once`() async throws {
    let other = try await world.open(server.transport)
    await server.gate.shut()
    let logins = [book, other].map { book in
      Task { [ada] in try await book.logInAgain(ada).state }
    }
    await server.gate.arrival()
    // The second one has every chance to be there too.
    for _ in 1...200 { _ = try await other.accounts() }
    await server.gate.open()
    for login in logins { #expect(try await login.value == .active) }
    #expect(Set(server.refreshTokensSent).count == server.refreshTokensSent.count)
    #expect(try events(world, .loginFailed).isEmpty)
  }

  @Test func `tokens without the binding that the application demands log nobody in`() async throws
  {
    server.settings.tokenType = "DPoP"
    _ = try await book.logIn(server.method(demandsBoundTokens: true))
    try await book.saveToken(of: ada)
    // A renewal takes their refresh token alone: else it would cost the session.
    server.settings.tokenType = "Bearer"
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.renewNow(ada)
    }
    #expect(try await book.context(of: ada).state == .active)
    try await book.logOut(ada)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    #expect(try await book.context(of: ada).state == .ended(.user))
    // What came in the place of the refresh token that was sent is good for another time.
    #expect(try await book.hasSavedLogin(ada))
    #expect(try events(world, .loginFailed).last?.data["partial"]?.bool == true)
    server.settings.tokenType = "DPoP"
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(Set(server.refreshTokensSent).count == server.refreshTokensSent.count)
  }

  @Test func `what is known of the user stays`() async throws {
    let before = try await book.context(of: ada).user
    #expect(before["sub"] != nil)
    let again = try await book.logInAgain(ada)
    #expect(again.user == before)
    #expect(try events(world, .attributesChanged).count == 1)
  }
}

/// Gives up where its caller does.
private struct ImpatientTransport: Transport {
  let base: ScriptedTransport

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await base.send(request, through: route)
    guard Task.isCancelled else { return reply }
    throw TransportFailure(
      GatebookError(.cancelled, "The caller cancelled.", remedy: "Nothing."), delivery: .maybeSent)
  }
}
