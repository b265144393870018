import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What answers where the revocation endpoint should: the portal of a strange network.
@Suite struct StrangeNetworkTests {
  private let world: PortalWorld
  private let ada: SessionContext

  init() async throws {
    world = try await PortalWorld()
    ada = try await world.logInRevocably()
  }

  @Test func `a redirect to a page has revoked nothing`() async throws {
    world.portal.inject(.redirect(to: "http://portal.example.test/"), on: .revoke, times: 2)
    _ = try await world.book.logOut(ada.account)
    #expect(try world.kinds().suffix(2) == ["logout.completed", "revocation.queued"])
    #expect(try await world.book.sync().waiting == 1)
    let failed = try #require(try await world.book.events(after: .start).last)
    #expect(failed.kind == "revocation.failed")
    #expect(failed.data["code"] == nil)
    #expect(failed.data["status"] == 302)
    #expect(failed.data["halted"] == nil)
    #expect(world.portal.tokens.contains { $0.accessToken != nil })
    #expect(try await world.book.sync().delivered == 1)
    #expect(world.portal.tokens.allSatisfy { $0.accessToken == nil && $0.refreshToken == nil })
  }

  @Test func `a server that answers so for a month is given up like any other`() async throws {
    world.portal.inject(.redirect(to: "http://portal.example.test/"), on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    world.world.clock.advance(by: .seconds(31 * 86_400))
    #expect(try await world.book.sync().waiting == 0)
    #expect(try await world.book.events(after: .start).last?.data["halted"] == true)
  }

  /// RFC 7009 section 2.2: "The content of the response body is ignored by the client".
  @Test(arguments: ["", "<!doctype html><p>Done.</p>"])
  func `a 200 has revoked, whatever it contains`(_ page: String) async throws {
    world.portal.inject(
      .answer { _ in .html(page, status: 200) }, on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    #expect(try world.kinds().last == "logout.completed")
  }
}
