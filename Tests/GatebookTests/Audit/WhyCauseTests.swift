import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// That `why` names the cause, and not what it looks like.
@Suite struct WhyCauseTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private func told(_ account: AccountID) async throws -> Told { Told(try await book.why(account)) }

  /// The sentence of the last event.
  private func toldOfLast() async throws -> Told {
    let last = try #require(try await book.events(after: .start).last { $0.kind == "login.failed" })
    return Told(try #require(try await book.why(last.position)))
  }

  @Test func `a label that another account has is no fault of the server's`() async throws {
    var options = LoginOptions()
    options.label = "work"
    _ = try await book.logIn(server.method(), options: options)
    server.settings.subject = "249"
    _ = try? await book.logIn(server.method(), options: options)
    let told = try await toldOfLast()
    #expect(told.answer.contains("another account has this label"), "\(told)")
    #expect(told.advice == .logIn)
  }

  @Test func `a login at another server is not told as another user's`() async throws {
    let ada = try await book.logIn(server.method()).account
    let pages = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.account = ada
    _ = try? await pages.logIn(.basic(), options: options)
    let told = try await toldOfLast()
    #expect(
      told.answer.contains("another method, another server or another client than the account's"),
      "\(told)")
  }

  @Test func `a session that had expired before its logout is described as that`() async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    try await book.logOut(ada)
    let told = try await told(ada)
    #expect(
      told.answer.hasPrefix(
        "The session ended at T: it expired, and nothing had renewed it. At T the user logged out."
      ),
      "\(told)")
  }

  @Test(arguments: ["0", "Fri, 03 Jan 2020 10:00:00 GMT"])
  func `a time that is over was not demanded`(wait: String) async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.answer = HTTPReply(
      status: 503, fields: [HTTPField("Retry-After", wait)])
    _ = try? await book.send(server.page())
    let told = try await told(ada)
    #expect(told.steps.last?.contains("not to be contacted") == false, "\(told)")
  }

  @Test func `an answer that could not be read may have used up the token`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.answer = HTTPReply(
      status: 200, fields: [HTTPField("Content-Type", "text/html")], body: Array("<html>".utf8))
    _ = try? await book.renewNow(ada)
    server.settings.answer = nil
    server.forgetRefreshTokens()
    _ = try? await book.renewNow(ada)
    let told = try await told(ada)
    #expect(
      told.steps.contains { $0.contains("could not read the answer (200)") }, "\(told)")
  }

  @Test func `a token that had renewed the session before is described as that`() async throws {
    server.settings.rotates = false
    let ada = try await book.logIn(server.method()).account
    _ = try await book.renewNow(ada)
    server.forgetRefreshTokens()
    _ = try? await book.renewNow(ada)
    let told = try await told(ada)
    #expect(
      told.steps.contains { $0.contains("It had renewed the session before") }, "\(told)")
  }

  @Test func `a waiting login is explained after a renewal and a logout`() async throws {
    let pages = try await world.open(RedirectServer().transport)
    let ada = try await book.logIn(server.method()).account
    var options = LoginOptions()
    options.account = ada
    let waiting = try await pages.beginLogIn(.redirect(), options: options)
    _ = try await book.renewNow(ada)
    try await book.logOut(ada)
    let told = try await told(ada)
    #expect(told.answer.contains("A login waits for the user"), "\(told)")
    #expect(told.advice == .resume)
    _ = try await pages.cancelLogIn(waiting.id)
    #expect(try await !self.told(ada).answer.contains("A login waits"))
  }

  @Test func `a delivery is explained with its logout`() async throws {
    let portal = try await PortalWorld()
    let ada = try await portal.logInRevocably().account
    portal.portal.inject(.status(503, retryAfter: nil), on: .revoke, times: nil)
    try await portal.book.logOut(ada)
    _ = try await portal.logInRevocably()
    portal.portal.clearFaults()
    portal.world.clock.advance(by: .seconds(100))
    _ = try await portal.book.sync()
    let told = Told(try await portal.book.why(ada))
    let delivered = try #require(
      told.steps.firstIndex { $0.hasPrefix("The server was told to revoke") }, "\(told)")
    #expect(
      told.steps[..<delivered].contains { $0.contains("logged the account out") }, "\(told)")
  }
}
