import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Saved credentials in the place of a refused session, where the server was in trouble when they
/// were used: the next use sends them again, as a renewal would.
@Suite struct LogInAfterTroubleTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: SessionContext

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    var options = LoginOptions()
    options.saveCredentials = true
    ada = try await book.logIn(server.method(), options: options)
  }

  /// The passwords that were sent after the first login.
  private var passwords: Int { server.asked.count { $0 == "password" } - 1 }

  private func state() async throws -> SessionState {
    try await book.context(of: ada.account).state
  }

  private func expectSound() throws {
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  /// A refused session, in whose place what was saved has met a server in trouble.
  private func meetTrouble(_ trouble: HTTPReply) async throws -> Int {
    server.advance(600)
    server.forgetRefreshTokens()
    server.settings.passwordAnswer = trouble
    let before = passwords
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.token() }
    #expect(try await state() == .needsLogin(.refused))
    #expect(passwords == before + 1)
    return passwords
  }

  @Test(arguments: ["send", "token"])
  func `a saved login that met trouble is tried again by the next use`(_ use: String) async throws {
    let before = try await meetTrouble(HTTPReply(status: 503))
    // A password waits: servers count them.
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == before)
    server.advance(1)
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == before + 1)
    server.settings.passwordAnswer = nil
    server.advance(2)
    if use == "send" {
      #expect(try await book.send(server.page()).status == 200)
    } else {
      _ = try await book.token()
    }
    #expect(passwords == before + 2)
    #expect(try await state() == .active)
    try expectSound()
  }

  @Test func `what asks no server sends no password, nor does what is not sent at all`()
    async throws
  {
    let before = try await meetTrouble(HTTPReply(status: 500))
    server.settings.passwordAnswer = nil
    server.advance(100)
    let requests = server.tokenRequests
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.restore(ada.account)
    }
    for password in ["wrong", "rabbit"] {
      await expect(.sessionRefused) { () throws(GatebookError) in
        _ = try await book.restore(ada.account, password: Secret(password))
      }
    }
    await expect(.sessionRefused) { () throws(GatebookError) in
      try await book.checkRestorableByPassword(ada.account)
    }
    let foreign = HTTPRequest.get(try #require(HTTPURL("https://foreign.example/")))
    await expect(.originForeign) { () throws(GatebookError) in _ = try await book.send(foreign) }
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.stepUpLogin(of: ada.account, redirectURI: "http://127.0.0.1/x")
    }
    #expect(server.tokenRequests == requests)
    #expect(passwords == before)
    #expect(try await state() == .needsLogin(.refused))
    #expect(try await book.send(server.page()).status == 200)
  }

  @Test func `somebody's own login that fails says nothing of what was saved`() async throws {
    let before = try await meetTrouble(HTTPReply(status: 500))
    server.settings.passwordAnswer = nil
    server.settings.refusesPasswords = true
    var options = LoginOptions()
    options.account = ada.account
    let method = try server.method()
    for _ in 1...5 {
      await expect(.credentialsRefused) { () throws(GatebookError) in
        _ = try await book.logIn(method, options: options)
      }
    }
    server.settings.refusesPasswords = false
    // The wait after one failure of its own, not after six.
    server.advance(2)
    _ = try await book.token()
    #expect(passwords == before + 6)
    #expect(try await state() == .active)
  }

  @Test func `what the server asked for is waited for`() async throws {
    let before = try await meetTrouble(
      HTTPReply(status: 429, fields: [HTTPField("Retry-After", "90")]))
    server.settings.passwordAnswer = nil
    server.advance(60)
    await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == before)
    server.advance(31)
    _ = try await book.token()
    #expect(passwords == before + 1)
  }

  @Test func `a refusal of it ends that`() async throws {
    let before = try await meetTrouble(HTTPReply(status: 500))
    server.settings.passwordAnswer = nil
    server.settings.refusesPasswords = true
    server.advance(2)
    await expect(.credentialsRefused) { () throws(GatebookError) in _ = try await book.token() }
    for _ in 1...3 {
      server.advance(100)
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
    }
    #expect(passwords == before + 1)
  }

  @Test func `a logout ends it too`() async throws {
    let before = try await meetTrouble(HTTPReply(status: 500))
    server.settings.passwordAnswer = nil
    _ = try await book.logOut(ada.account)
    server.advance(2)
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == before)
  }
}
