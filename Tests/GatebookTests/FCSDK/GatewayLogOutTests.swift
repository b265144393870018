import Gatebook
import GatebookFakes
import Testing

@Suite struct GatewayLogOutTests {
  private static let rows = [
    ("done", 200), ("done", 204), ("done", 404), ("done", 401), ("queued", 500), ("queued", 503),
    ("queued", 429),
  ]

  @Test(arguments: rows)
  func `what the server says to a logout is recorded, and the account is logged out`(
    _ row: (server: String, status: Int)
  ) async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    world.gateway.inject(.alter { _ in LoopbackReply(status: row.status) }, on: .logout)
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    let completed = try #require(try await world.last(.logoutCompleted))
    #expect(completed["server"]?.text == row.server)
    #expect(completed["status"]?.integer == Int64(row.status))
    #expect(world.gateway.requests(to: .logout).count == 1)
    #expect(try world.secret(of: ada.account, "session") == nil)
    #expect(try world.secret(of: ada.account, "cookies") == nil)
  }

  @Test(arguments: [true, false])
  func `a logout without an answer leaves the remote end open`(_ isDown: Bool) async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    if isDown { world.gateway.stop() } else { world.gateway.inject(.dropAfterActing, on: .logout) }
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    let completed = try #require(try await world.last(.logoutCompleted))
    #expect(completed["server"] == "queued")
    #expect(completed["status"] == nil)
  }

  @Test func `a session that the server has forgotten is ended all the same`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    world.gateway.endSessions()
    _ = try await world.book.logOut(ada.account)
    let completed = try #require(try await world.last(.logoutCompleted))
    #expect(completed["server"] == "done")
    #expect(completed["status"] == 404)
  }
}
