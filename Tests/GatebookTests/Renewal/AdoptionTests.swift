import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 3: on a refusal "re-read first: if another has rotated, adopt, do not log out".
@Suite struct AdoptionTests {
  private let world: TestBook
  private let server: TokenServer
  /// Renews, and waits at the gate.
  private let book: SessionBook
  /// What others do.
  private let other: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    other = try await world.open(server.transport(isGated: false))
  }

  private func events() throws -> [RecordedEvent] {
    try BookReader.open(at: world.path).events(EventFilter())
  }

  /// Renews while others do something; what the renewal came to.
  private func renew(
    _ account: AccountID, while meanwhile: () async throws -> Void
  ) async throws -> Result<Bool, GatebookError> {
    await server.gate.shut()
    let gate = server.gate
    let renewal = Task { [book] () async -> Result<Bool, GatebookError> in
      let result: Result<Bool, GatebookError>
      do throws(GatebookError) {
        result = .success(try await book.renewNow(account))
      } catch {
        result = .failure(error)
      }
      // Who waits for us to come to the gate must not wait for ever.
      await gate.open()
      return result
    }
    await gate.arrival()
    let failure: (any Error)?
    do {
      try await meanwhile()
      failure = nil
    } catch {
      failure = error
    }
    await gate.open()
    let result = await renewal.value
    if let failure { throw failure }
    return result
  }

  @Test(arguments: [false, true])
  func `a refusal of what another has spent takes over the newer token`(
    _ savesCredentials: Bool
  ) async throws {
    var options = LoginOptions()
    options.saveCredentials = savesCredentials
    let ada = try await other.logIn(server.method(), options: options)
    let before = try events().count
    let result = try await renew(ada.account) { try await other.rotate(ada.account) }
    #expect(try result.get())
    let news = try events().dropFirst(before)
    #expect(news.map(\.kind) == ["refresh.started", "refresh.succeeded", "refresh.adopted"])
    let adopted = try #require(news.last)
    #expect(
      adopted.data
        == ["code": "token.refused", "error": "invalid_grant", "generation": 2, "status": 400])
    #expect(adopted.cause == news.dropFirst().first?.position)
    // Nobody logged in again with what was saved.
    #expect(server.asked == ["password", "refresh_token", "refresh_token"])
    let context = try await book.context(of: ada.account)
    #expect(context.state == .active)
    #expect(context.generation == 2)
    #expect(try await book.token().value == Secret("acc-2"))
    #expect(try await book.send(server.page()).status == 200)
    #expect(try await book.renewNow(ada.account))
    #expect(server.asked.count == 4)
  }

  @Test func `trouble of the server leaves another's renewal alone`() async throws {
    let ada = try await other.logIn(server.method())
    let before = try events().count
    let result = try await renew(ada.account) {
      try await other.rotate(ada.account)
      server.settings.isInTrouble = true
    }
    #expect(try result.get())
    #expect(
      try events().dropFirst(before).map(\.kind)
        == ["refresh.started", "refresh.succeeded", "refresh.adopted"])
    #expect(try await book.context(of: ada.account).state == .active)
    server.settings.isInTrouble = false
    // Nothing of the other's session waits or is uncertain.
    server.advance(500)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try await book.context(of: ada.account).generation == 3)
  }

  @Test func `a refusal where nobody has rotated ends the renewal`() async throws {
    let ada = try await other.logIn(server.method())
    let before = try events().count
    let result = try await renew(ada.account) { server.forgetRefreshTokens() }
    #expect(throws: GatebookError.self) { try result.get() }
    #expect(
      try events().dropFirst(before).map(\.kind)
        == ["refresh.started", "refresh.failed"])
    #expect(try await book.context(of: ada.account).renewalEnd == .refused)
    #expect(try await book.context(of: ada.account).state == .active)
  }

  @Test func `a refusal that comes after the logout logs nobody in again`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await other.logIn(server.method(), options: options)
    let result = try await renew(ada.account) {
      _ = try await other.logOut(ada.account)
      server.forgetRefreshTokens()
    }
    #expect(throws: GatebookError.self) { try result.get() }
    #expect(try await book.context(of: ada.account).state == .ended(.user))
    #expect(try events().filter { $0.kind == "login.started" }.count == 1)
    #expect(server.asked == ["password", "refresh_token"])
    #expect(try events().last?.kind == "refresh.failed")
  }

  @Test func `what another has renewed and then logged out is not taken over`() async throws {
    let ada = try await other.logIn(server.method())
    let before = try events().count
    let result = try await renew(ada.account) {
      try await other.rotate(ada.account)
      _ = try await other.logOut(ada.account)
    }
    #expect(throws: GatebookError.self) { try result.get() }
    let kinds = try events().dropFirst(before).map(\.kind)
    #expect(!kinds.contains("refresh.adopted"))
    #expect(kinds.last == "refresh.failed")
    #expect(try await book.context(of: ada.account).state == .ended(.user))
  }

  @Test func `a refusal that comes after a new login leaves that alone`() async throws {
    let ada = try await other.logIn(server.method())
    var second: SessionContext?
    _ = try await renew(ada.account) {
      second = try await other.logIn(server.method())
      server.forgetRefreshTokens()
    }.get()
    let context = try await book.context(of: ada.account)
    #expect(context.state == .active)
    #expect(context.session == second?.session)
    #expect(try await book.token().value == Secret("acc-2"))
  }

  @Test func `who waited for another's renewal writes nothing`() async throws {
    let ada = try await book.logIn(server.method())
    let before = try events().count
    await server.gate.shut()
    let first = Task { [book] in try await book.renewNow(ada.account) }
    await server.gate.arrival()
    let others = (1...5).map { _ in Task { [book] in try await book.renewNow(ada.account) } }
    await server.gate.open()
    _ = try await first.value
    for waiting in others { _ = try await waiting.value }
    let kinds = Set(try events().dropFirst(before).map(\.kind))
    #expect(kinds == ["refresh.started", "refresh.succeeded"])
  }
}
