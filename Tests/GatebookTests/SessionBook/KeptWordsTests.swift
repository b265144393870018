import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// What a failed login says of what was kept.
@Suite struct KeptWordsTests {
  @Test func `a first login that reaches nobody speaks of no session`() async throws {
    let world = try await PortalWorld()
    world.portal.stop()
    let method = try world.basic()
    let first = await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(first?.kept == "No account was made.")
    try world.portal.start()
    _ = try await world.logIn(.cookie, .ben)
    world.portal.stop()
    let second = await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(second?.kept == "No session was changed.")
    let page = try world.url("/documents/1")
    let request = await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.send(.get(page))
    }
    #expect(request?.kept == "The session is kept.")
  }

  @Test func `a first login on a page whose code reaches nobody speaks of no session`()
    async throws
  {
    let world = try await PortalWorld()
    let pending = try await world.book.beginLogIn(world.method(.oauth2Redirect))
    let redirect = try await world.redirect(of: pending)
    world.portal.stop()
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.finishLogIn(redirect: redirect)
    }
    #expect(error?.code == .networkUnreachable)
    #expect(error?.kept == "No account was made.")
  }

  @Test func `a first login by a security check that reaches nobody speaks of no session`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    world.server.stop()
    let error = await #expect(throws: GatebookError.self) {
      try await manager.authenticate(.user("john"), check: "UserLogin")
    }
    #expect(error?.code == .networkUnreachable)
    #expect(error?.kept == "No account was made.")
  }
}
