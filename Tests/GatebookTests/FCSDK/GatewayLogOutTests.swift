import Gatebook
import GatebookFakes
import Testing

@Suite struct GatewayLogOutTests {
  private static let rows: [(FakeGatewaySwitches.Logout, String, Int)] = [
    (.regular, "done", 200), (.status(204), "done", 204), (.status(404), "done", 404),
    (.status(401), "done", 401), (.status(500), "queued", 500), (.status(503), "queued", 503),
    (.status(429), "queued", 429),
  ]

  @Test(arguments: rows)
  func `what the server says to a logout is recorded, and the account is logged out`(
    _ row: (logout: FakeGatewaySwitches.Logout, server: String, status: Int)
  ) async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    world.gateway.switches.logout = row.logout
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
