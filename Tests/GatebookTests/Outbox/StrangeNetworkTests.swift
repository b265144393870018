import Gatebook
import GatebookTestSupport
import Testing

/// A page where the revocation endpoint should answer: the portal of a strange network.
@Suite struct StrangeNetworkTests {
  private let world: PortalWorld
  private let ada: SessionContext

  init() async throws {
    world = try await PortalWorld()
    ada = try await world.logInRevocably()
  }

  @Test(arguments: [false, true])
  func `a page, and a redirect to one, has revoked nothing`(_ isRedirect: Bool) async throws {
    world.portal.inject(
      isRedirect ? .redirect(to: "http://portal.example.test/") : .page(), on: .revoke, times: 2)
    _ = try await world.book.logOut(ada.account)
    #expect(try world.kinds().suffix(2) == ["logout.completed", "revocation.queued"])
    #expect(try await world.book.sync().waiting == 1)
    let failed = try #require(try await world.book.events(after: .start).last)
    #expect(failed.kind == "revocation.failed")
    #expect(failed.data["code"] == (isRedirect ? nil : "content.unexpected"))
    #expect(failed.data["status"] == (isRedirect ? 302 : 200))
    #expect(failed.data["halted"] == nil)
    #expect(world.portal.tokens.contains { $0.accessToken != nil })
    #expect(try await world.book.sync().delivered == 1)
    #expect(world.portal.tokens.allSatisfy { $0.accessToken == nil && $0.refreshToken == nil })
  }

  @Test func `a server that answers so for a month is given up like any other`() async throws {
    world.portal.inject(.page(), on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    world.world.clock.advance(by: .seconds(31 * 86_400))
    #expect(try await world.book.sync().waiting == 0)
    #expect(try await world.book.events(after: .start).last?.data["halted"] == true)
  }

  @Test func `an empty answer that is called a page has revoked`() async throws {
    world.portal.inject(
      .answer { _ in .html("", status: 200) }, on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    #expect(try world.kinds().last == "logout.completed")
  }
}
