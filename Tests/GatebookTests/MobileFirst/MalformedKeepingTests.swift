import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Stored data of an account that cannot be read.
@Suite(.timeLimit(.minutes(10))) struct MalformedKeepingTests {
  @Test func `a login that cannot read what answers challenges is recorded as failed`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    try await manager.logout("UserLogin")
    var damage = Append([])
    damage.vault = [
      .set(account, purpose: Purpose.challenges, generation: 1, content: Array("?".utf8))
    ]
    try await world.book.commit(damage)
    let book = try await world.world.open(world.transport)
    let again = try await world.manager(account, in: book)
    let result = await Result { try await again.login("UserLogin", credentials: .user("john")) }
    #expect(result.code == .storageDamaged)
    let start = try #require(try await world.events(.loginStarted).last)
    let failure = try #require(try await world.events(.loginFailed).last)
    #expect(failure.session == start.session)
    #expect(failure.data["code"] == "storage.damaged")
    // The manager is as good as new.
    #expect(try await book.removeCredentials(of: account))
    #expect(try await again.login("UserLogin", credentials: .user("john")).user?.id == "john")
  }
}
