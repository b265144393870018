import Gatebook
import GatebookFakes
import Testing

/// What is kept with and without `saveCredentials`.
@Suite struct PortalCredentialTests {
  private static func options(saving: Bool) -> LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = saving
    return options
  }

  @Test(arguments: PortalMode.allCases, [false, true])
  func `a session and its attributes come back whether credentials are saved or not`(
    mode: PortalMode, saving: Bool
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(
      world.method(mode), options: Self.options(saving: saving))
    #expect(try world.kinds().contains("credentials.saved") == saving)
    let again = try await world.world.open(world.transport)
    let restored = try await again.restore(ada.account)
    #expect(restored.user == ada.user)
    #expect(try await again.send(world.call(), as: ada.account).status == 200)
    let password = FakePortalUser.ada.password
    for file in world.files() {
      #expect(!file.holds(password))
      for secret in world.portal.secretsIssued { #expect(!file.holds(secret)) }
    }
  }

  @Test(arguments: [false, true])
  func `what was saved survives a logout until it is removed`(saving: Bool) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(
      world.method(.cookie), options: Self.options(saving: saving))
    _ = try await world.book.logOut(ada.account)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.restore(ada.account)
    }
    let before = try world.kinds().count
    #expect(try await world.book.removeCredentials(of: ada.account) == saving)
    #expect(try world.kinds(after: before) == (saving ? ["credentials.removed"] : []))
    #expect(try await !world.book.removeCredentials(of: ada.account))
    #expect(try await world.book.context(of: ada.account).user == ada.user)
  }

  @Test func `removing what was saved leaves the session`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(
      world.method(.cookie), options: Self.options(saving: true))
    #expect(try await world.book.removeCredentials(of: ada.account))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    world.portal.endSessions()
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
  }

  @Test func `a logout may take what was saved with it`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(
      world.method(.cookie), options: Self.options(saving: true))
    _ = try await world.book.logOut(ada.account, forgettingCredentials: true)
    #expect(
      try world.kinds().suffix(3) == [
        "logout.requested", "credentials.removed", "logout.completed",
      ])
    #expect(try await !world.book.removeCredentials(of: ada.account))
  }
}
