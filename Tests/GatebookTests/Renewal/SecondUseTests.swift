import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// The second use of a refresh token whose answer was lost is not spent within the same outage.
@Suite struct SecondUseTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    ada = try await book.logIn(server.method()).account
  }

  /// The refresh tokens that were sent, lost ones included.
  private var uses: Int { server.tokenRequests - 1 }

  private func token(_ book: SessionBook? = nil) async -> Secret? {
    try? await (book ?? self.book).token().value
  }

  @Test func `before it is needed it waits until the server has answered something`() async throws {
    server.advance(500)
    server.settings.lostQuestions = 9
    for book in [book, try await world.open(server.transport), book] {
      for _ in 1...3 {
        #expect(await token(book) == Secret("acc-1"))
        server.advance(3)
      }
    }
    #expect(uses == 1)
    #expect(try await book.context(of: ada).state == .uncertain)
    server.settings.lostQuestions = 0
    #expect(try await book.send(server.page()).status == 200)
    #expect(uses == 1, "The answer is what proves it.")
    #expect(await token() == Secret("acc-2"))
    #expect(uses == 2)
    #expect(try await book.context(of: ada).state == .active)
  }

  @Test func `a confirmation of the session proves the network for every process`() async throws {
    server.advance(500)
    server.settings.lostQuestions = 1
    #expect(await token() == Secret("acc-1"))
    server.advance(3)
    #expect(try await book.sync().verified == [ada])
    #expect(uses == 1)
    #expect(await token(try await world.open(server.transport)) == Secret("acc-2"))
    #expect(uses == 2)
  }

  @Test func `a use that needs it sends it, but not at once`() async throws {
    server.advance(601)
    server.settings.lostQuestions = 2
    for book in [book, try await world.open(server.transport)] {
      for _ in 1...3 { #expect(await token(book) == nil) }
    }
    #expect(uses == 1)
    server.advance(3)
    for _ in 1...3 {
      #expect(await token() == nil)
      server.advance(3)
    }
    #expect(uses == 2, "and never a third time")
    #expect(try await book.context(of: ada).state == .uncertain)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `who asks does not wait`() async throws {
    server.settings.lostQuestions = 1
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.renewNow(ada)
    }
    #expect(uses == 1)
    #expect(try await book.renewNow(ada))
    #expect(uses == 2)
  }

  @Test func `who waited for the first use in another process hears that its answer was lost`()
    async throws
  {
    let other = try await world.open(server.transport(isGated: false))
    server.advance(601)
    server.settings.lostQuestions = 1
    await server.gate.shut()
    let first = Task { [book] in try? await book.token().value }
    await server.gate.arrival()
    let second = Task { try? await other.token().value }
    #expect(try await eventually { await other.isRenewing })
    await server.gate.open()
    #expect(await first.value == nil)
    #expect(await second.value == nil)
    #expect(uses == 1)
  }

  @Test func `a killed renewal is a lost answer, too`() async throws {
    try await book.leaveIntent(of: ada)
    server.advance(500)
    let other = try await world.open(server.transport)
    for _ in 1...3 { #expect(await token(other) == Secret("acc-1")) }
    #expect(uses == 0)
    server.advance(101)
    #expect(await token(other) == Secret("acc-2"))
    #expect(uses == 1)
  }

  /// A session whose access token alone serves, beside a refresh token that was saved.
  private func saveTokenBesideSession() async throws {
    try await book.saveToken(of: ada)
    server.settings.givesRefreshTokens = false
    _ = try await book.logIn(server.method())
    server.settings.givesRefreshTokens = true
  }

  @Test func `a saved token is not sent twice within the same outage either`() async throws {
    try await saveTokenBesideSession()
    server.advance(601)
    let before = server.tokenRequests
    server.settings.lostQuestions = 2
    for book in [book, try await world.open(server.transport)] {
      for _ in 1...3 { #expect(await token(book) == nil) }
    }
    #expect(server.tokenRequests == before + 1)
    server.advance(3)
    for _ in 1...3 {
      #expect(await token() == nil)
      server.advance(3)
    }
    #expect(server.tokenRequests == before + 2, "and never a third time")
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a saved token is not sent twice within the outage in which its session ended`()
    async throws
  {
    try await book.saveToken(of: ada)
    _ = try await book.logIn(server.method())
    let sent = TestBox<[String]>([])
    let book = try await world.open(
      ScriptedTransport { [server] request, route throws(TransportFailure) in
        guard let token = FormFields(decoding: request.body)?["refresh_token"] else {
          return try await server.transport.send(request, through: route)
        }
        sent.withLock { $0.append(token) }
        guard token == "ref-1" else {
          return HTTPReply(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
        }
        throw TransportFailure(
          GatebookError(.networkUnreachable, "It was lost.", remedy: "Wait."), delivery: .maybeSent)
      })
    server.endTokens()
    let page = try server.page()
    _ = try? await book.send(page)
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    for _ in 1...2 {
      do throws(GatebookError) {
        _ = try await book.send(page)
        Issue.record("There is no session.")
      } catch {
        #expect(error.code == .serverUnavailable)
        // The session has ended: that it is kept may not be said.
        #expect(error.kept == "The account and its saved credentials are kept.")
      }
    }
    #expect(sent.value == ["ref-2", "ref-1"])
  }
}
