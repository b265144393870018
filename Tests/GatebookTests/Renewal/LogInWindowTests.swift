import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// The time in which a renewal was refused and a login with saved credentials replaces it: later
/// callers wait for that login.
@Suite struct LogInWindowTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  /// Ada has saved her password; her session is over, and the server forgets its refresh token.
  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    var options = LoginOptions()
    options.saveCredentials = true
    ada = try await book.logIn(server.method(), options: options).account
    server.forgetRefreshTokens()
    server.advance(600)
  }

  private var passwords: Int { server.asked.count { $0 == "password" } - 1 }

  /// One caller's refresh is refused, and its login waits at the server until all else has
  /// happened.
  private func refuse(
    while meanwhile: () async throws -> Void
  ) async throws -> Result<Secret, GatebookError> {
    server.settings.gatedGrant = "password"
    await server.gate.shut()
    let first = token(from: book)
    await server.gate.arrival()
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    try await meanwhile()
    await server.gate.open()
    return await first.value
  }

  private func token(from book: SessionBook) -> Task<Result<Secret, GatebookError>, Never> {
    Task {
      do throws(GatebookError) {
        return .success(try await book.token().value)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Gives others every chance to do what they should not.
  private func linger() async throws {
    for _ in 1...200 { _ = try await book.accounts() }
  }

  @Test(arguments: [false, true])
  func `who comes while it is under way gets its session`(isOtherBook: Bool) async throws {
    let second = isOtherBook ? try await world.open(server.transport) : book
    let page = try server.page()
    var token: Task<Result<Secret, GatebookError>, Never>?
    var status: Task<Int, any Error>?
    var restored: Task<SessionState, any Error>?
    let first = try await refuse {
      token = self.token(from: second)
      status = Task { try await second.send(page).status }
      restored = Task { [ada] in try await second.restore(ada).state }
      try await linger()
    }
    #expect(try first.get() == Secret("acc-2"))
    #expect(try await token?.value.get() == Secret("acc-2"))
    #expect(try await status?.value == 200)
    guard case .offline = try await restored?.value else {
      Issue.record("The session that came in its place was not resumed.")
      return
    }
    #expect(passwords == 1)
  }

  @Test func `who comes while it is under way hears that it was refused`() async throws {
    server.settings.refusesPasswords = true
    var second: Task<Result<Secret, GatebookError>, Never>?
    let first = try await refuse {
      second = token(from: book)
      try await linger()
    }
    #expect(throws: GatebookError.self) { try first.get() }
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await second?.value.get() }
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
    #expect(passwords == 1)
  }

  @Test func `who is logged out meanwhile hears so at once`() async throws {
    _ = try await refuse {
      _ = try await book.logOut(ada)
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
    }
    #expect(try await book.context(of: ada).state == .ended(.user))
  }

  @Test func `another process that waits to renew takes the session that came instead`()
    async throws
  {
    let other = try await world.open(server.transport)
    server.settings.gatedGrant = "refresh_token"
    await server.gate.shut()
    let first = token(from: book)
    await server.gate.arrival()
    let second = token(from: other)
    try await linger()
    await server.gate.open()
    #expect(try await first.value.get() == Secret("acc-2"))
    #expect(try await second.value.get() == Secret("acc-2"))
    #expect(passwords == 1)
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  @Test func `a session that is renewed meanwhile needs no login`() async throws {
    _ = try await book.logIn(server.method())
    let other = try await world.open(server.transport)
    server.settings.gatedGrant = "refresh_token"
    await server.gate.shut()
    let renewal = Task { [ada] in try await other.renewNow(ada) }
    await server.gate.arrival()
    let before = passwords
    let login = Task { [book, ada] in try await book.logInAgain(ada) }
    try await linger()
    await server.gate.open()
    #expect(try await renewal.value)
    #expect(try await login.value.generation == 2)
    #expect(passwords == before)
  }
}
