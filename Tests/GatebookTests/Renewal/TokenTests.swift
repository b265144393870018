import Gatebook
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
}
