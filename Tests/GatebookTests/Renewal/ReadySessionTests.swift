import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// A session that was read stays in memory only for as long as it is what the book says.
@Suite struct ReadySessionTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    ada = try await book.logIn(server.method()).account
  }

  private func token() async throws(GatebookError) -> Secret { try await book.token().value }

  private func isReady() async throws -> Bool {
    try await book.hasReadySession(of: ada)
  }

  @Test func `a token that was read once comes from memory`() async throws {
    #expect(try await token() == Secret("acc-1"))
    #expect(try await isReady())
    #expect(try await token() == Secret("acc-1"))
  }

  @Test func `another process's renewal is seen at once`() async throws {
    #expect(try await token() == Secret("acc-1"))
    let other = try await world.open(server.transport)
    try await other.renewNow(ada)
    #expect(try await isReady() == false)
    #expect(try await token() == Secret("acc-2"))
    #expect(server.tokenRequests == 2)
    await other.close()
  }

  @Test func `another process's logout is seen at once`() async throws {
    #expect(try await token() == Secret("acc-1"))
    let other = try await world.open(server.transport)
    _ = try await other.logOut(ada)
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await token() }
    await other.close()
  }

  @Test func `the time alone makes it due`() async throws {
    #expect(try await token() == Secret("acc-1"))
    server.advance(595)
    #expect(try await isReady() == false)
    #expect(try await token() == Secret("acc-2"))
  }

  @Test func `a missing scope is not answered from memory`() async throws {
    server.settings.scope = "profile"
    try await book.renewNow(ada)
    #expect(try await book.token(scopes: ["profile"]).value == Secret("acc-2"))
    await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["admin"])
    }
  }

  @Test func `a longer life is not answered from memory`() async throws {
    #expect(try await token() == Secret("acc-1"))
    server.advance(100)
    #expect(try await token() == Secret("acc-1"))
    let renewed = try await book.token(for: ada, minimumLifetime: .seconds(550))
    #expect(renewed.value == Secret("acc-2"))
  }
}

extension SessionBook {
  fileprivate func hasReadySession(of account: AccountID) throws -> Bool {
    try renewals.readySession(of: account, at: ledger.clock.now()) != nil
  }
}
