import Gatebook
import GatebookFakes
import Testing

/// Names of checks and scopes that the server does not know: a setting to correct, no trouble of
/// the server's.
@Suite(.timeLimit(.minutes(10))) struct UnknownScopeTests {
  private func expectUnknown(
    _ name: String?, _ world: MobileFirstWorld, _ body: () async throws(GatebookError) -> Void
  ) async throws {
    let error = try #require(await expect(.configurationInvalid, body))
    #expect(error.status == 400)
    #expect(error.serverCode == "invalid_scope")
    #expect(error.remedy.contains("security check"))
    #expect(error.remedy.contains("scope"))
    if let name { #expect(error.cause?.contains("asked for: \(name)") == true) }
    let failed = try #require(try await world.events(.loginFailed).last)
    #expect(failed.data["code"] == "configuration.invalid")
    #expect(failed.data["error"] == "invalid_scope")
  }

  @Test func `a check that the server does not know is a configuration error`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await expectUnknown("UserLogon", world) { () throws(GatebookError) in
      try await manager.authenticate(.user("john"), check: "UserLogon")
    }
    #expect(await manager.openFlows == 0)
    #expect(try await manager.authenticate(.user("john"), check: "UserLogin").user?.id == "john")
  }

  @Test func `a scope that the server does not know is a configuration error`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await expectUnknown("UserLogin no-such", world) { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: "no-such UserLogin")
    }
    // What a message cannot contain is left out.
    try await expectUnknown(nil, world) { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: "\u{7}")
    }
  }

  @Test func `a session whose check is gone from the server is kept`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    world.server.application.checks.removeFirst()
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .configurationInvalid)
    #expect(try await world.book.context(of: account).state == .active)
    let again = await Result { try await world.book.restore(account) }
    #expect(again.code == nil || again.code == .configurationInvalid)
    #expect(try await world.book.context(of: account).state.isUsable)
  }
}
