import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// A refresh token that was refused for good ends the renewal; the access token is used until it
/// ends, or until the server refuses it.
@Suite struct RenewalEndTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let heard = HeardLogins()

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private static let refusal = HTTPReply(
    status: 400, body: Array(#"{"error":"refresh_token_reused"}"#.utf8))

  private func logIn(saving isSaved: Bool = false) async throws -> AccountID {
    var options = LoginOptions()
    options.saveCredentials = isSaved
    let ada = try await book.logIn(server.method(), options: options).account
    await book.setLoginDelegate(heard)
    return ada
  }

  private func token(_ book: SessionBook? = nil) async -> Secret? {
    try? await (book ?? self.book).token().value
  }

  private func expectHeard(_ news: [String]) async throws {
    let isHeard = try await eventually { await heard.heard == news }
    let all = await heard.heard
    #expect(isHeard, "\(all)")
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `it is reported at once, and no process sends the refresh token again`() async throws {
    let ada = try await logIn()
    server.advance(500)
    server.settings.answer = Self.refusal
    #expect(await token() == Secret("acc-1"))
    for book in [book, try await world.open(server.transport)] {
      let context = try await book.context(of: ada)
      #expect(context.state == .active)
      #expect(context.renewalEnd == .refused)
      #expect(await token(book) == Secret("acc-1"))
      #expect(try await book.send(server.page()).status == 200)
    }
    #expect(server.tokenRequests == 2)
    server.advance(101)
    let context = try await book.context(of: ada)
    #expect(context.state == .needsLogin(.refused))
    #expect(context.renewalEnd == nil)
    #expect(await token() == nil)
    #expect(try world.kinds().suffix(2) == ["refresh.failed", "session.expired"])
    #expect(server.tokenRequests == 2)
    try await expectHeard(["error token.refused"])
  }

  @Test func `it lasts until the server refuses the access token`() async throws {
    let ada = try await logIn()
    server.advance(500)
    server.settings.answer = Self.refusal
    #expect(await token() == Secret("acc-1"))
    // One page's refusal does not end the session.
    #expect(try await book.send(server.closedPage()).status == 401)
    #expect(try await book.context(of: ada).state == .active)
    server.endTokens()
    let page = try server.page()
    _ = try? await book.send(page)
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    #expect(server.tokenRequests == 2)
    try await expectHeard(["error token.refused"])
  }

  @Test func `a token of unknown life serves until it is refused`() async throws {
    server.settings.lifetime = nil
    let ada = try await logIn()
    server.settings.answer = Self.refusal
    await expect(.tokenRefused) { () throws(GatebookError) in _ = try await book.renewNow(ada) }
    server.advance(100_000)
    // This server ends it by then; the client cannot know.
    #expect(await token() == Secret("acc-1"))
    _ = try? await book.send(server.page())
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    try await expectHeard(["error token.refused"])
  }

  @Test func `a refused second try does not throw away what still lives`() async throws {
    let ada = try await logIn()
    server.advance(500)
    server.settings.lostAnswers = 1
    #expect(await token() == Secret("acc-1"))
    #expect(try await book.context(of: ada).state == .uncertain)
    // Nearly over: a use needs it.
    server.advance(60)
    #expect(await token() == Secret("acc-1"))
    #expect(server.refreshTokensSent == ["ref-1", "ref-1"])
    let context = try await book.context(of: ada)
    #expect(context.state == .active)
    #expect(context.renewalEnd == .refusedAfterUnknownOutcome)
    server.advance(41)
    #expect(await token() == nil)
    #expect(try await book.context(of: ada).state == .needsLogin(.refusedAfterUnknownOutcome))
    #expect(server.refreshTokensSent.count == 2)
    try await expectHeard(["error token.refused"])
  }

  @Test func `saved credentials log in when the access token is nearly over, and not before`()
    async throws
  {
    let ada = try await logIn(saving: true)
    server.advance(500)
    server.forgetRefreshTokens()
    #expect(await token() == Secret("acc-1"))
    #expect(server.asked == ["password", "refresh_token"])
    #expect(try await book.context(of: ada).renewalEnd == .refused)
    server.advance(50)
    #expect(await token() == Secret("acc-2"))
    #expect(server.asked == ["password", "refresh_token", "password"])
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.context(of: ada).renewalEnd == nil)
    try await expectHeard(["response", "saved"])
  }

  @Test func `where what was saved is refused too, the account needs a login for that reason`()
    async throws
  {
    let ada = try await logIn(saving: true)
    server.advance(500)
    server.forgetRefreshTokens()
    server.settings.refusesPasswords = true
    #expect(await token() == Secret("acc-1"))
    server.advance(50)
    #expect(await token() == Secret("acc-1"), "It still lives.")
    #expect(server.asked == ["password", "refresh_token", "password"])
    server.advance(51)
    #expect(await token() == nil)
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    #expect(server.asked.count == 3)
  }

  @Test func `a refresh token that was saved too is not sent for a login either`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(
      server.pageMethod(), by: TokenServer.redirect, options
    ).account
    server.advance(500)
    server.settings.answer = Self.refusal
    #expect(await token() == Secret("acc-1"))
    #expect(try await !book.hasSavedLogin(ada))
    // Callers that waited to send it get the same error.
    #expect(try await book.failure(ofLoginTo: ada, since: .start)?.code == .tokenRefused)
    let sent = server.tokenRequests
    server.advance(101)
    #expect(await token() == nil)
    #expect(server.tokenRequests == sent)
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
  }

  @Test func `who asks may send it once more, and a grant makes all as before`() async throws {
    let ada = try await logIn()
    server.settings.answer = HTTPReply(status: 401)
    for _ in 1...2 {
      let error = await expect(.tokenRefused) { () throws(GatebookError) in
        _ = try await book.renewNow(ada)
      }
      #expect(error?.kept.hasPrefix("The session is kept") == true, "\(error?.kept ?? "")")
    }
    #expect(server.tokenRequests == 3)
    #expect(try await book.context(of: ada).renewalEnd == .refusedWithoutReason)
    server.settings.answer = nil
    #expect(try await book.renewNow(ada))
    #expect(try await book.context(of: ada).renewalEnd == nil)
    server.advance(500)
    #expect(await token() == Secret("acc-3"))
  }

  @Test func `what was refused without a word may be tried by hand after the end`() async throws {
    let ada = try await logIn()
    server.advance(500)
    server.settings.answer = HTTPReply(status: 401)
    #expect(await token() == Secret("acc-1"))
    server.advance(101)
    #expect(await token() == nil)
    #expect(try await book.context(of: ada).state == .needsLogin(.refusedWithoutReason))
    server.settings.answer = nil
    #expect(try await book.logInAgain(ada).state == .active)
  }

  @Test func `sync does not send what was refused`() async throws {
    let ada = try await logIn()
    server.advance(500)
    server.settings.answer = Self.refusal
    #expect(await token() == Secret("acc-1"))
    _ = try await book.restore(ada)
    _ = try await book.sync()
    _ = try await book.sync()
    #expect(server.tokenRequests == 2)
    #expect(try await book.context(of: ada).state == .active)
  }
}
