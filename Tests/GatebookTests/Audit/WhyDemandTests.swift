import CSQLite
import Gatebook
import GatebookFakes
import GatebookTestSupport
import Glibc
import Testing

@testable import GatebookStore

/// What a server demands of a login holds for all that is advised.
@Suite struct WhyDemandTests {
  private static let program = Program(
    name: "tests", version: "1", installation: InstallationID(high: 1, low: 2))
  private static let later = HTTPReply(status: 429, fields: [HTTPField("Retry-After", "120")])

  @Test(arguments: [false, true])
  func `a logged-out account gets the advice to wait, also where no server answers since`(
    isSaved: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.saveCredentials = isSaved
    let ada = try await book.logIn(server.method(), options: options).account
    try await book.logOut(ada)
    let usual = try await book.why(ada).advice
    #expect(usual == (isSaved ? .logInWithSaved : .logIn))
    server.settings.answer = Self.later
    await #expect(throws: GatebookError.self) {
      try await book.logIn(server.method(), options: options)
    }
    let waiting: Advice = isSaved ? .logInWithSavedLater : .logInLater
    #expect(try await book.why(ada).advice == waiting)
    server.settings.isDown = true
    await #expect(throws: GatebookError.self) {
      try await book.logIn(server.method(), options: options)
    }
    #expect(try await book.why(ada).advice == waiting)
    server.advance(121)
    #expect(try await book.why(ada).advice == usual)
    server.settings.isDown = false
    server.settings.answer = Self.later
    _ = try? await book.logIn(server.method(), options: options)
    server.settings.answer = nil
    _ = try await book.logIn(server.method(), options: options)
    // What a login was told holds no longer once one was granted.
    #expect(try await book.why(ada).advice == .nothing)
  }

  @Test func `a session that cannot be renewed waits for what a login was told`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.isMisplaced = true
    _ = try? await book.send(server.page())
    #expect(try await book.why(ada).advice == .checkSettings)
    server.settings.isMisplaced = false
    server.settings.answer = Self.later
    _ = try? await book.logIn(server.method())
    // Checking the settings asks no server.
    #expect(try await book.why(ada).advice == .checkSettings)
    let failure = Position(rawValue: Int64(try world.kinds().count))
    #expect(try await book.why(failure)?.advice == .logInLater)
  }

  @Test func `a discovery that must wait says so`() async throws {
    let party = try await RelyingParty()
    party.line.edit.value = { path, reply in
      guard path.hasPrefix("/.well-known/") else { return }
      reply = HTTPReply(status: 503, fields: [HTTPField("Retry-After", "120")])
    }
    await #expect(throws: GatebookError.self) { try await party.logIn().get() }
    let failure = try #require(try await party.book.events(after: .start).last)
    #expect(failure.kind == "login.failed")
    #expect(failure.data["retryAfter"] == 120_000_000)
  }

  @Test func `a delivery's own back-off is no demand of the server`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password).account
    world.portal.inject(.dropBeforeActing, on: .revoke, times: nil)
    try await world.book.logOut(ada)
    let told = Told(try await world.book.why(ada))
    #expect(told.steps.allSatisfy { !$0.contains("not to log in again") }, "\(told)")
  }

  @Test func `later events are explained though their causes are lost`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    let login = try await book.context(of: ada).position
    server.advance(601)
    server.settings.isInTrouble = true
    _ = try? await book.send(server.page())
    await book.close()
    let connection = try Connection.open(world.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = \(login.rawValue)")
    let made = try await BookRecovery(path: world.path, program: Self.program)
      .recover(to: world.path + ".new")
    defer { unlink(made.path) }
    let why = try #require(
      try BookReader.open(at: made.path, key: KeyFile(path: world.keyPath)).why(
        ada, at: world.clock.now()))
    #expect(why.unknown == login)
    #expect(why.steps.contains { $0.kind == "refresh.deferred" })
  }

  @Test(arguments: [false, true])
  func `an account's trouble is known after an archive, too`(
    isDemanded: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    if isDemanded {
      try await book.logOut(ada)
      server.settings.answer = Self.later
      _ = try? await book.logIn(server.method())
    } else {
      server.advance(601)
      server.settings.isMisplaced = true
      _ = try? await book.send(server.page())
    }
    let before = try await book.why(ada)
    #expect(before.advice == (isDemanded ? .logInLater : .checkSettings))
    let archives = ["first", "second"].map { "\(world.path).\($0)" }
    defer { for archive in archives { unlink(archive) } }
    for archive in archives {
      _ = try await book.archive(to: archive)
      let why = try await book.why(ada)
      #expect(why.advice == before.advice)
      #expect(why.steps.last?.kind == before.steps.last?.kind)
      let verdict = try await BookVerifier(path: world.path).verify(archive: archive)
      #expect(verdict.ok, "\(verdict.problems)")
    }
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }
}
