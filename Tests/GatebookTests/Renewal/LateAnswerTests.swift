import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 4: the answer to a renewal that comes when much has happened.
@Suite struct LateAnswerTests {
  /// Renews Ada's session in another process; the answer waits until all else has happened.
  private func renew(
    _ ada: AccountID, in world: PortalWorld, while meanwhile: () async throws -> Void
  ) async throws {
    let gate = Gate(isOpen: false)
    let late = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
    let renewal = Task {
      _ = try? await late.renewNow(ada)
      await gate.open()
    }
    await gate.arrival()
    let failure: (any Error)?
    do {
      try await meanwhile()
      failure = nil
    } catch {
      failure = error
    }
    await gate.open()
    await renewal.value
    if let failure { throw failure }
  }

  /// Whom the portal's live tokens stand for.
  private func owners(_ world: PortalWorld) -> [Int64?] {
    world.portal.tokens.filter { $0.accessToken != nil }.map(\.userID)
  }

  @Test func `Ada's answer that comes after Ben has logged in in her place changes nothing`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    var ben: SessionContext?
    var before = 0
    try await renew(ada.account, in: world) {
      _ = try await world.book.logOut(ada.account)
      ben = try await world.logInRevocably(.ben)
      before = try world.kinds().count
    }
    let other = try #require(ben)
    #expect(try world.kinds(after: before) == ["refresh.discarded", "revocation.queued"])
    #expect(try await world.book.context(of: ada.account).state == .ended(.user))
    #expect(try await world.book.currentContext()?.account == other.account)
    #expect(try await world.book.context(of: other.account).position == other.position)
    #expect(try await world.book.sync().delivered == 1)
    #expect(owners(world) == [FakePortalUser.ben.userID])
    #expect(try await world.book.send(world.call(), as: other.account).status == 200)
  }

  @Test func `another user's answer that comes after the logout is taken back`() async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    let gate = Gate(isOpen: false)
    let book = try await party.world.open(
      ScriptedTransport { [line = party.line] request, route throws(TransportFailure) in
        let reply = try await line.send(request, through: route)
        if request.url.path == "/token" { await gate.pass() }
        return reply
      })
    party.server.settings.subject = "another"
    let renewal = Task { try? await book.renewNow(ada.account) }
    await gate.arrival()
    _ = try await party.book.logOut(ada.account)
    let before = try party.world.kinds().count
    await gate.open()
    _ = await renewal.value
    #expect(
      try party.world.kinds().dropFirst(before).prefix(2) == [
        "refresh.discarded", "revocation.queued",
      ])
    #expect(try await book.sync().delivered == 1)
  }

  @Test func `an answer to a former session of the same user changes nothing`() async throws {
    let world = try await PortalWorld()
    let first = try await world.logInRevocably()
    var late: FakePortalToken?
    var second: SessionContext?
    var before = 0
    try await renew(first.account, in: world) {
      late = world.portal.tokens.last
      second = try await world.logInRevocably()
      before = try world.kinds().count
    }
    let session = try #require(second)
    #expect(session.account == first.account)
    #expect(session.session != first.session)
    #expect(
      try world.kinds(after: before).filter { $0 != "revocation.succeeded" }
        == ["refresh.discarded", "revocation.queued"])
    let context = try await world.book.context(of: first.account)
    #expect(context.session == session.session)
    #expect(context.generation == 1)
    #expect(context.state == .active)
    let token = try await world.book.token(for: first.account).value
    let text = token.withBytes { String(decoding: $0, as: UTF8.self) }
    _ = try await world.book.sync()
    // Nothing that the late answer brought can still be used.
    #expect(!world.portal.tokens.contains { $0.refreshToken == late?.refreshToken })
    #expect(!world.portal.tokens.contains { $0.accessToken == late?.accessToken })
    #expect(world.portal.tokens.contains { $0.accessToken == text })
    #expect(try await world.book.send(world.call(), as: first.account).status == 200)
  }

  @Test func `Ada's answer that comes after Ben has logged in beside her is hers alone`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    var ben: SessionContext?
    var before = 0
    try await renew(ada.account, in: world) {
      ben = try await world.logInRevocably(.ben)
      before = try world.kinds().count
    }
    let other = try #require(ben)
    #expect(try world.kinds(after: before) == ["refresh.succeeded"])
    #expect(try await world.book.context(of: ada.account).generation == 2)
    #expect(try await world.book.context(of: other.account).position == other.position)
    #expect(try await world.book.currentContext()?.account == other.account)
    for (account, user) in [(ada.account, FakePortalUser.ada), (other.account, .ben)] {
      #expect(try await world.book.send(world.call(), as: account).status == 200)
      #expect(world.portal.requests.last?.userID == user.userID)
    }
  }
}
