import CSQLite
import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import GatebookStore

/// Refusals of a refresh that are not the server's last word: the session heals when their cause is
/// gone.
@Suite struct PassingRefusalTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    ada = try await book.logIn(server.method()).account
  }

  private static func answer(_ status: Int, _ body: String, _ type: String) -> HTTPReply {
    HTTPReply(status: status, fields: [HTTPField("Content-Type", type)], body: Array(body.utf8))
  }

  private static let refusals =
    [400, 401, 403].map { answer($0, "<html>A filter</html>", "text/html") } + [
      answer(400, #"{"message":"Project not specified"}"#, "application/json"),
      answer(400, #"{"error":"temporarily_unavailable"}"#, "application/json"),
      answer(401, #"{"error":"invalid_client"}"#, "application/json"),
      answer(404, "", "text/plain"), answer(403, "", "text/plain"),
    ]

  private func token(_ book: SessionBook? = nil) async -> Secret? {
    try? await (book ?? self.book).token().value
  }

  @Test(arguments: refusals)
  func `a passing refusal leaves no trace`(_ refusal: HTTPReply) async throws {
    server.advance(601)
    server.settings.answer = refusal
    // Three commands, each a process of its own.
    for _ in 1...3 { #expect(await token(try await world.open(server.transport)) == nil) }
    #expect(server.tokenRequests == 4, "A refusal is not asked for again by the same use.")
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.context(of: ada).failedRenewals == 3)
    server.settings.answer = nil
    #expect(await token(try await world.open(server.transport)) == Secret("acc-2"))
    #expect(try await book.context(of: ada).failedRenewals == 0)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test(arguments: refusals)
  func `one that lasts for hours is not asked for each minute, and heals within 18 minutes`(
    _ refusal: HTTPReply
  ) async throws {
    server.advance(601)
    server.settings.answer = refusal
    for _ in 1...300 {
      #expect(await token() == nil)
      server.advance(60)
    }
    // A proxy's refusal is treated as a server in trouble is.
    let most = refusal.status == 403 ? 301 : 60
    #expect((20...most).contains(server.tokenRequests), "\(server.tokenRequests)")
    server.settings.answer = nil
    server.advance(1080)
    #expect(await token() == Secret("acc-2"))
  }

  @Test func `one use that tries three times fails once`() async throws {
    server.advance(601)
    server.settings.answer = HTTPReply(status: 503)
    for count in 1...3 {
      #expect(await token() == nil)
      #expect(try await book.context(of: ada).failedRenewals == Int64(count))
    }
    #expect(server.tokenRequests == 10)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `the caller may ask at once, however long it has lasted`() async throws {
    server.advance(601)
    server.settings.answer = Self.refusals[0]
    for _ in 1...30 {
      _ = await token()
      server.advance(900)
    }
    server.settings.answer = nil
    #expect(try await book.renewNow(ada))
  }

  @Test func `a book in which an older version gave up heals`() async throws {
    try await book.leaveHalted(ada)
    server.advance(601)
    for book in [book, try await world.open(server.transport)] {
      #expect(try await book.context(of: ada).state == .active)
    }
    #expect(await token(try await world.open(server.transport)) == Secret("acc-2"))
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  /// Version 12 of the folds took `halted` for the end of all renewals.
  @Test func `the states that an older version stored are computed again`() async throws {
    try await book.leaveHalted(ada)
    await book.close()
    let connection = try Connection.open(world.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("UPDATE head SET folds = 12")
    try connection.execute(
      "UPDATE account_state SET state = replace(state, 'active', 'offline') WHERE account = 1")
    #expect(try await world.open(server.transport).context(of: ada).state == .active)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `sync says that what is over was not renewed, and that it was`() async throws {
    server.advance(601)
    server.settings.answer = Self.refusals[0]
    _ = await token()
    #expect(try await book.sync().failures.map(\.account) == [ada])
    server.settings.answer = nil
    #expect(try await book.sync().verified == [ada])
  }

  @Test func `a saved refresh token is tried again too`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    _ = try await book.logIn(server.pageMethod(), by: TokenServer.redirect, options)
    _ = try await book.logOut(ada)
    server.settings.answer = Self.refusals[0]
    for _ in 1...3 {
      await expect(.serverRefused) { () throws(GatebookError) in
        _ = try await book.logInAgain(ada)
      }
    }
    #expect(try await book.hasSavedLogin(ada))
    server.settings.answer = nil
    #expect(try await book.logInAgain(ada).state == .active)
  }
}
