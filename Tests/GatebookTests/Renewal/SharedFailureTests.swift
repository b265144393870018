import Gatebook
import GatebookFakes
import Testing

/// Many processes want the same session renewed, and the server does not answer one of them.
@Suite struct SharedFailureTests {
  private static func renew(
    _ account: AccountID, in book: SessionBook
  ) -> Task<GatebookError?, Never> {
    Task {
      do throws(GatebookError) {
        try await book.renewNow(account)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `who waits for a renewal hears its failure, and does not ask in turn`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let first = try await world.open(server.transport)
    let ada = try await first.logIn(server.method()).account
    var others: [SessionBook] = []
    for _ in 0..<3 { others.append(try await world.open(server.transport(isGated: false))) }
    await server.gate.shut()
    server.settings.isInTrouble = true
    let renewal = Self.renew(ada, in: first)
    await server.gate.arrival()
    let waits = others.map { Self.renew(ada, in: $0) }
    // They have seen the session before its renewal failed, and wait for their turn.
    for book in others { #expect(try await eventually { await book.isRenewing }) }
    await server.gate.open()
    let failure = try #require(await renewal.value)
    #expect(failure.code == .serverUnavailable)
    for wait in waits {
      let heard = try #require(await wait.value)
      #expect(heard.code == .serverUnavailable)
      #expect(heard.status == 503)
      #expect(heard.message.contains("Another program"), "\(heard.message)")
    }
    // While somebody waits, a renewal is tried three times: these were the first one's.
    #expect(try world.kinds().filter { $0 == "refresh.started" }.count <= 3)
    server.settings.isInTrouble = false
    #expect(try await others[0].renewNow(ada))
  }

  @Test(arguments: [429, 500])
  func `a saved password that many wait to send is sent once`(_ status: Int) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let first = try await world.open(server.transport)
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await first.logIn(server.method(), options: options).account
    var others: [SessionBook] = []
    for _ in 0..<3 { others.append(try await world.open(server.transport(isGated: false))) }
    server.forgetRefreshTokens()
    server.settings.passwordAnswer = HTTPReply(status: status)
    await server.gate.shut()
    let renewal = Self.renew(ada, in: first)
    await server.gate.arrival()
    let waits = others.map { Self.renew(ada, in: $0) }
    for book in others { #expect(try await eventually { await book.isRenewing }) }
    await server.gate.open()
    // Not the refusal: the trouble may pass, and then the account logs in again.
    #expect(await renewal.value?.code == .serverUnavailable)
    for wait in waits { #expect(await wait.value != nil) }
    #expect(server.asked.count { $0 == "password" } == 2, "The login's own, and one.")
    #expect(server.refreshTokensSent.count == 1)
    // Who asks may try.
    server.settings.passwordAnswer = nil
    #expect(try await others[0].logInAgain(ada).state == .active)
  }
}
