import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Logins whose server has used up what was sent, and grants a token of a type that nobody can use.
@Suite struct RotatedLoginTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  /// Ada has saved her refresh token.
  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    ada = try await book.logIn(server.method()).account
    try await book.saveToken(of: ada)
  }

  private func events(_ kind: EventKind) throws -> [RecordedEvent] {
    var filter = EventFilter()
    filter.kind = kind.rawValue
    return try BookReader.open(at: world.path).events(filter)
  }

  private func failLogIn() async throws {
    server.settings.tokenType = "mac"
    let before = try world.kinds().count
    let error = await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    #expect(error?.kept.contains("refresh token replaces") == true, "\(error?.kept ?? "")")
    #expect(
      try world.kinds().dropFirst(before) == [
        "login.started", "credentials.loaded", "login.failed",
      ])
    let failed = try #require(try events(.loginFailed).last)
    #expect(failed.data["partial"] == true)
    #expect(failed.data["halted"] == nil)
    server.settings.tokenType = "Bearer"
  }

  @Test func `what came in the place of a saved refresh token is saved`() async throws {
    try await book.logOut(ada)
    try await failLogIn()
    let failed = try #require(try events(.loginFailed).last)
    #expect(try await book.hasSavedLogin(ada))
    // Another process finds it too.
    let later = try await world.open(server.transport)
    #expect(try await later.logInAgain(ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    let loaded = try events(.credentialsLoaded)
    #expect(loaded.map { $0.data["attempt"]?.integer } == [1, 1])
    #expect(loaded.last?.data["fingerprint"] == failed.data["fingerprint"])
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a session with the same token continues with the new one`() async throws {
    try await failLogIn()
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.token().value == Secret("acc-1"))
    #expect(try await book.renewNow(ada))
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    #expect(try await book.context(of: ada).state == .active)
    // So does what was saved.
    try await book.logOut(ada)
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2", "ref-3"])
  }

  @Test func `what a busy book cannot take is kept until it can`() async throws {
    try await book.logOut(ada)
    let hold = WriterHold(world)
    server.settings.tokenType = "mac"
    let hurried = try await world.open(
      ScriptedTransport { [server] request, route throws(TransportFailure) in
        let reply = try await server.transport.send(request, through: route)
        if request.url.path == "/token" { hold.take() }
        return reply
      }, wait: .milliseconds(50))
    await expect(.storageBusy) { () throws(GatebookError) in
      _ = try await hurried.logInAgain(ada)
    }
    #expect(await hurried.hasUnwrittenGrants)
    hold.release()
    try await hurried.waitUntilWritten()
    server.settings.tokenType = "Bearer"
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
  }

  @Test func `what came after a lost answer is new`() async throws {
    server.settings.lostAnswers = 0
    server.settings.lostQuestions = 1
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await book.logInAgain(ada)
    }
    try await failLogIn()
    let failed = try #require(try events(.loginFailed).last)
    #expect(failed.data["unanswered"] == nil)
    #expect(failed.data["saved"] == true)
    #expect(failed.data["shared"] == true)
    #expect(try await book.hasSavedLogin(ada))
    // The session uses it too, and its uses are counted from zero.
    #expect(try await book.renewNow(ada))
    #expect(server.refreshTokensSent.last == "ref-2")
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `what a first login cannot use is taken back`() async throws {
    let party = try await RelyingParty {
      $0.changes[.grant] = ["token_type": #""mac""#]
    }
    await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await Self.failure(party)
    }
    let revoked = party.server.requests.filter { $0.path == "/revoke" }
      .compactMap { $0.formValue("token") }
    #expect(revoked.contains("access-2"), "\(revoked)")
    #expect(revoked.contains { $0.hasPrefix("refresh") }, "\(revoked)")
  }

  private static func failure(_ party: RelyingParty) async throws(GatebookError) {
    let result: Result<SessionContext, GatebookError>
    do {
      result = try await party.logIn()
    } catch {
      return
    }
    _ = try result.get()
  }
}
