import Gatebook
import GatebookFakes
import Testing

@Suite struct GatewayReportTests {
  @Test func `a lost connection makes the session uncertain, and usable`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    let session = try await world.book.gatewaySession(of: ada.account)
    let lost = try await world.book.gatewayConnectionLost(session)
    #expect(lost.state == .uncertain)
    #expect(try await world.last(.sessionUncertain) == ["generation": 1])
    #expect(
      try await world.book.send(.get(world.url("/csdk-sample/x")), as: ada.account).status == 404)
    #expect(try await world.book.gatewaySession(of: ada.account).id == session.id)
    #expect(try await world.book.gatewayConnected(session).state == .active)
  }

  @Test func `the gateway's own failure needs a login`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    let session = try await world.book.gatewaySession(of: ada.account)
    let ended = try await world.book.gatewaySessionRevoked(session)
    #expect(ended.state == .needsLogin(.revokedByServer))
    #expect(try await world.last(.sessionEnded) == ["reason": "revokedByServer"])
    #expect(try world.secret(of: ada.account, "session") == nil)
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.gatewaySession(of: ada.account)
    }
    #expect(error?.code == .sessionRefused)
  }

  @Test func `a late word about a former session changes nothing`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    let former = try await world.book.gatewaySession(of: ada.account)
    _ = try await world.book.logIn(world.login())
    let count = try world.world.kinds().count
    #expect(try await world.book.gatewayConnectionLost(former).state == .active)
    #expect(try await world.book.gatewaySessionRevoked(former).state == .active)
    #expect(try world.world.kinds().count == count)
    let session = try await world.book.gatewaySession(of: ada.account)
    _ = try await world.book.logOut(ada.account)
    #expect(try await world.book.gatewayConnected(session).state == .ended(.user))
  }

  @Test func `an account of another method has no gateway session`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let error = await #expect(throws: GatebookError.self) {
      try await book.gatewaySession(of: ada.account)
    }
    #expect(error?.code == .configurationInvalid)
    let settings = try await book.savedSettings(of: ada.account)
    #expect(settings?.method == "http")
    #expect(settings?.gateway == nil)
  }
}
