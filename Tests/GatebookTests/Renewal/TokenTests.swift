import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// `token(for:minimumLifetime:)`.
@Suite struct TokenTests {
  @Test func `a token comes with its end and its scopes, and is renewed when it must be`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let first = try await world.book.token(for: ada.account)
    #expect(first.expiresAt == world.world.clock.now().wall + .seconds(600))
    #expect(first.isRecorded)
    #expect(try await world.book.token().value == first.value)
    let second = try await world.book.token(minimumLifetime: .seconds(599))
    #expect(second.value == first.value)
    world.world.clock.advance(by: .seconds(100))
    let third = try await world.book.token(minimumLifetime: .seconds(550))
    #expect(third.value != first.value)
    #expect(try await world.book.context(of: ada.account).generation == 2)
    world.world.clock.advance(by: .seconds(600))
    #expect(try await world.book.token().value != third.value)
  }

  @Test func `a life that the server does not give is an error, and the new token is kept`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.token(minimumLifetime: .seconds(3600))
    }
    #expect(try await world.book.context(of: ada.account).generation == 2)
    #expect(try await world.book.token().isRecorded)
  }

  @Test(arguments: [true, false])
  func `a login that is granted a life of 0 seconds is one of unknown life`(
    _ givesRefreshTokens: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    server.settings.lifetime = .seconds(86_400)
    server.settings.tellsLifetime = 0
    server.settings.givesRefreshTokens = givesRefreshTokens
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method())
    #expect(ada.state == .active)
    for _ in 1...5 {
      #expect(try await book.token().value == Secret("acc-1"))
      #expect(try await book.send(server.page()).status == 200)
      server.advance(10)
    }
    #expect(server.tokenRequests == 1)
    #expect(try await book.context(of: ada.account).expiresAt == nil)
  }

  @Test func `a renewal that is granted a life of 0 seconds is not made at every use`() async throws
  {
    let (book, server, world) = try await scopes(granted: nil)
    defer { withExtendedLifetime(world) {} }
    server.advance(600)
    server.settings.lifetime = .seconds(86_400)
    server.settings.tellsLifetime = 0
    for _ in 1...5 { #expect(try await book.token().value == Secret("acc-2")) }
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  @Test(arguments: [(1, Duration.zero, true), (1, .seconds(1), false), (5, .seconds(60), false)])
  func `a call renews once, and what came is given where nothing was asked of its life`(
    _ lifetime: Int, _ asked: Duration, _ isGiven: Bool
  ) async throws {
    let (book, server, world) = try await scopes(granted: nil)
    defer { withExtendedLifetime(world) {} }
    // In the soft margin.
    server.advance(500)
    server.settings.lifetime = .seconds(lifetime)
    let other = try await world.open(server.transport, renewalPolicy: .beforeUse)
    if isGiven {
      #expect(try await other.token(minimumLifetime: asked).value == Secret("acc-2"))
    } else {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await other.token(minimumLifetime: asked)
      }
    }
    #expect(server.refreshTokensSent == ["ref-1"])
    // Over, or nearly.
    server.advance(5)
    if isGiven {
      #expect(try await book.token(minimumLifetime: asked).value == Secret("acc-3"))
    } else {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await book.token(minimumLifetime: asked)
      }
    }
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
  }

  @Test func `a session without tokens has none`() async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(.email)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.token()
    }
  }

  @Test func `while the server is down the old token serves until it ends`() async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(.oauth2Password)
    let first = try await world.book.token()
    world.portal.stop()
    world.world.clock.advance(by: .seconds(590))
    #expect(try await world.book.token().value == first.value)
    world.world.clock.advance(by: .seconds(10))
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.token()
    }
    #expect(try await world.book.currentContext()?.state == .active)
  }

  // MARK: Scopes

  private func scopes(
    granted: String?, asked: [String] = []
  ) async throws -> (book: SessionBook, server: TokenServer, world: TestBook) {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    server.settings.scope = granted
    let book = try await world.open(server.transport)
    _ = try await book.logIn(server.method(scopes: asked))
    return (book, server, world)
  }

  @Test func `scopes that were not granted are named, and the tokens stay`() async throws {
    let (book, server, world) = try await scopes(granted: "read notes", asked: ["read", "write"])
    defer { withExtendedLifetime(world) {} }
    #expect(try await book.token(scopes: ["notes", "read"]).scopes == ["read", "notes"])
    let error = await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["read", "write", "Notes"])
    }
    #expect(error?.message.contains("\"write\", \"Notes\"") == true)
    #expect(error?.kept == "The session and its tokens are kept.")
    #expect(try await book.token().value == Secret("acc-1"))
    #expect(server.asked == ["password"])
  }

  @Test func `a server that grants no scope has granted none`() async throws {
    let (book, _, world) = try await scopes(granted: "", asked: ["read"])
    defer { withExtendedLifetime(world) {} }
    #expect(try await book.token().value == Secret("acc-1"))
    await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["read"])
    }
  }

  @Test func `what a renewal grants counts`() async throws {
    let (book, server, world) = try await scopes(granted: "read write")
    defer { withExtendedLifetime(world) {} }
    server.settings.scope = "read"
    server.advance(600)
    await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["write"])
    }
    #expect(try await book.token(scopes: ["read"]).value == Secret("acc-2"))
    // Without a word it is as before (RFC 6749 section 6).
    server.settings.scope = nil
    server.advance(600)
    #expect(try await book.token(scopes: ["read"]).value == Secret("acc-3"))
    await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["write"])
    }
  }

  @Test func `a server that says nothing has granted what was asked for`() async throws {
    let (book, _, world) = try await scopes(granted: nil, asked: ["read"])
    defer { withExtendedLifetime(world) {} }
    #expect(try await book.token(scopes: ["read"]).value == Secret("acc-1"))
    await expect(.scopeMissing) { () throws(GatebookError) in
      _ = try await book.token(scopes: ["write"])
    }
    // Nothing was asked for: nobody knows.
    let (unknown, _, other) = try await scopes(granted: nil)
    defer { withExtendedLifetime(other) {} }
    #expect(try await unknown.token(scopes: ["read"]).value == Secret("acc-1"))
  }
}
