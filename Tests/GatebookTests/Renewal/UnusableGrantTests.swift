import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Answers to a refresh that have used up what was sent, and whose access token nobody can use.
@Suite struct UnusableGrantTests {
  private func events(_ world: TestBook, _ kind: String) throws -> [RecordedEvent] {
    var filter = EventFilter()
    filter.kind = kind
    return try BookReader.open(at: world.path).events(filter)
  }

  @Test func `the new refresh token is kept, and what the session has serves until its end`()
    async throws
  {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    let end = try await book.token().expiresAt
    server.advance(400)
    server.settings.tokenType = "mac"
    let before = try world.kinds().count
    let error = await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await book.renewNow(ada)
    }
    #expect(error?.kept.contains("refresh token") == true, "\(error?.kept ?? "")")
    #expect(
      try world.kinds().dropFirst(before) == [
        "refresh.started", "refresh.succeeded", "refresh.deferred",
      ])
    let renewed = try #require(try events(world, "refresh.succeeded").last)
    let deferred = try #require(try events(world, "refresh.deferred").last)
    #expect(renewed.data["partial"] == true)
    #expect(deferred.data["code"] == "content.unexpected")
    #expect(deferred.cause == renewed.position)
    // Another process finds the same.
    let other = try await world.open(server.transport)
    for book in [book, other] {
      let token = try await book.token()
      #expect(token.value == Secret("acc-1"))
      #expect(token.expiresAt == end)
      #expect(try await book.context(of: ada).state == .active)
    }
    server.advance(90)
    #expect(try await book.token().value == Secret("acc-1"), "The server is left alone.")
    #expect(server.refreshTokensSent.count <= 2)
    server.settings.tokenType = "Bearer"
    server.advance(110)
    #expect(try await other.token().value != Secret("acc-1"))
    #expect(Set(server.refreshTokensSent).count == server.refreshTokensSent.count)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a token that anybody can use is none where the application demands bound ones`()
    async throws
  {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    server.settings.tokenType = "DPoP"
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method(demandsBoundTokens: true)).account
    server.settings.tokenType = "Bearer"
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.renewNow(ada)
    }
    #expect(error?.kept.contains("refresh token") == true, "\(error?.kept ?? "")")
    #expect(try events(world, "refresh.succeeded").last?.data["partial"] == true)
    for book in [book, try await world.open(server.transport)] {
      #expect(try await book.send(server.page()).status == 200)
    }
    let fields = server.sent("/data").compactMap { $0.fields.first("Authorization") }
    #expect(fields == ["DPoP acc-1", "DPoP acc-1"])
    server.settings.tokenType = "DPoP"
    #expect(try await book.renewNow(ada))
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    #expect(try await book.context(of: ada).state == .active)
  }

  @Test func `an answer that was lost before it is no doubt any more`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    server.settings.lostQuestions = 1
    server.settings.tokenType = "mac"
    for code in [FailureCode.networkUnreachable, .contentUnexpected] {
      await expect(code) { () throws(GatebookError) in _ = try await book.renewNow(ada) }
    }
    #expect(try await book.context(of: ada).state == .active)
    server.settings.tokenType = "Bearer"
    #expect(try await book.renewNow(ada))
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    #expect(try events(world, "refresh.started").map { $0.data["attempt"]?.integer } == [1, 2, 1])
  }

  @Test func `it confirms a session with an offline limit`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.offlineLimit = .seconds(100)
    let ada = try await book.logIn(server.method(), options: options).account
    server.advance(90)
    server.settings.tokenType = "mac"
    await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await book.renewNow(ada)
    }
    server.advance(90)
    #expect(try await book.restore(ada).state.isUsable)
    server.advance(20)
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.restore(ada) }
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `who waits for such a renewal hears of it`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.logIn(server.method())
    let other = try await world.open(server.transport(isGated: false))
    server.advance(600)
    server.settings.tokenType = "mac"
    await server.gate.shut()
    let first = Self.token(book)
    await server.gate.arrival()
    let second = Self.token(other)
    #expect(try await eventually { await other.isRenewing })
    await server.gate.open()
    #expect(await first.value == .contentUnexpected)
    #expect(await second.value == .contentUnexpected)
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  private static func token(_ book: SessionBook) -> Task<FailureCode?, Never> {
    Task {
      do throws(GatebookError) {
        _ = try await book.token()
        return nil
      } catch {
        return error.code
      }
    }
  }

  @Test func `a portal's new refresh token is kept too`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let old = try await world.book.token().value
    world.portal.inject(
      .alter { reply in
        guard case .bytes(let bytes) = reply.content else { return reply }
        var reply = reply
        let text = String(decoding: bytes, as: UTF8.self)
        reply.content = .bytes(
          Array(
            text.replacing(#""Bearer""#, with: #""mac""#).utf8))
        return reply
      }, on: .token)
    await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await world.book.renewNow(ada.account)
    }
    #expect(try await world.book.token().value == old)
    #expect(try await world.book.renewNow(ada.account))
    #expect(Set(world.refreshTokensSent()).count == 2)
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `what comes without a new refresh token is taken back`() async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.server.settings.changes[.grant] = ["token_type": #""mac""#, "refresh_token": nil]
    party.server.settings.hasGrace = true
    let before = try party.world.kinds().count
    await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await party.book.renewNow(ada.account)
    }
    let kinds = try party.world.kinds().dropFirst(before)
    #expect(kinds.contains("revocation.queued"), "\(kinds)")
    #expect(kinds.contains("refresh.deferred"), "\(kinds)")
    _ = try await party.book.sync()
    let revoked = party.server.requests.filter { $0.path == "/revoke" }
      .compactMap { $0.formValue("token") }
    #expect(Set(revoked).contains("access-3"))
    #expect(!revoked.contains { $0.hasPrefix("refresh") || $0 == "access-2" }, "\(revoked)")
    #expect(try await party.book.context(of: ada.account).state == .active)
    #expect(try await party.book.token().value == Secret("access-2"))
    #expect(try BookReader.open(at: party.world.path).checkProjections().ok)
  }

  @Test func `another user's answer is not taken for the session's`() async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.server.settings.changes[.grant] = ["token_type": #""mac""#]
    party.server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await party.book.renewNow(ada.account)
    }
    #expect(
      try await party.book.context(of: ada.account).state == .needsLogin(.identityMismatch))
  }
}
