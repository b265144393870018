import Gatebook
import GatebookFakes
import Testing

/// How long the book keeps what an app gave for a challenge.
@Suite struct ChallengeKeepingTests {
  private typealias Persistence = ChallengeCredential.Persistence

  /// How often the app was asked after: a login, a call, a second call, a call after a restart, a
  /// renewal, a logout and a new login, and a call after it.
  private static let expected: [(persistence: ChallengeCredential.Persistence, asked: [Int])] = [
    (.none, [1, 2, 3, 4, 5, 6, 7]), (.forSession, [1, 1, 1, 1, 1, 2, 2]),
    (.permanent, [1, 1, 1, 1, 1, 1, 1]),
  ]

  @Test(arguments: expected)
  func `a credential is kept as long as it was given for`(
    persistence: ChallengeCredential.Persistence, expected: [Int]
  ) async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate(persistence)))
    let world = try await PortalWorld.gated(.basic, resolver)
    let document = HTTPRequest.get(try world.url("/documents/1"))
    var asked: [Int] = []
    let ada = try await world.logIn(.cookie)
    asked.append(resolver.asked.count)
    for _ in 0..<2 {
      #expect(try await world.book.send(document).status == 200)
      asked.append(resolver.asked.count)
    }
    await world.book.close()
    let again = try await world.world.open(world.transport)
    await again.register(resolver)
    #expect(try await again.send(document).status == 200)
    asked.append(resolver.asked.count)
    #expect(try await again.renewNow(ada.account))
    asked.append(resolver.asked.count)
    _ = try await again.logOut(ada.account)
    _ = try await again.logIn(world.method(.cookie))
    asked.append(resolver.asked.count)
    #expect(try await again.send(document).status == 200)
    asked.append(resolver.asked.count)
    #expect(asked == expected)
    #expect(
      try world.kinds().filter { $0 == "credentials.saved" }.count
        == (persistence == .permanent ? 1 : 0))
  }

  @Test(arguments: [ChallengeCredential.Persistence.forSession, .permanent])
  func `what was given in a call is there after a restart`(
    persistence: ChallengeCredential.Persistence
  ) async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(persistence)))
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = .gate(.sha256)
    await world.book.register(resolver)
    let document = HTTPRequest.get(try world.url("/documents/1"))
    #expect(try await world.book.send(document).status == 200)
    let again = try await world.world.open(world.transport)
    #expect(try await again.send(document, as: ada.account).status == 200)
    #expect(resolver.asked.count == 1)
  }

  @Test func `what was given for good can be removed, also after a logout`() async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate(.permanent)))
    let world = try await PortalWorld.gated(.basic, resolver)
    let ada = try await world.logIn(.cookie)
    _ = try await world.book.logOut(ada.account)
    #expect(try await world.book.removeCredentials(of: ada.account))
    _ = try await world.logIn(.cookie)
    #expect(resolver.asked.count == 2)
  }

  @Test(arguments: [FakePortalFront.Scheme.basic, .sha256])
  func `a logout reaches the portal behind its proxy, and asks nobody`(
    scheme: FakePortalFront.Scheme
  ) async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(.forSession)))
    let world = try await PortalWorld.gated(scheme, resolver)
    let ada = try await world.logIn(.cookie)
    #expect(world.portal.sessions.contains { $0.userID == FakePortalUser.ada.userID })
    // In a new process, which does not know the front's nonce yet.
    let again = try await world.world.open(world.transport)
    _ = try await again.logOut(ada.account)
    #expect(!world.portal.sessions.contains { $0.userID == FakePortalUser.ada.userID })
    #expect(world.portal.requests(to: .logout).last?.status == 302)
    #expect(resolver.asked.count == 1)
  }

  @Test func `a logout waits for nobody, also when nothing that is kept helps`() async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(.forSession)))
    let world = try await PortalWorld.gated(.basic, resolver)
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front?.password = "another one"
    let silent = SilentResolver()
    defer { silent.end() }
    await world.book.register(silent)
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    let last = try #require(
      try await world.book.events(after: .start).last { $0.kind == "logout.completed" })
    #expect(last.data["server"] == "queued")
    #expect(last.data["status"] == 401)
  }

  @Test func `a logout through a proxy asks with each saved credential once`() async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate(.forSession)))
    let world = try await PortalWorld.gated(.sha256, resolver)
    let ada = try await world.logIn(.cookie)
    world.portal.switches.front = FakePortalFront(
      realm: "Another gate", name: "gate", password: "front door word", schemes: [.basic])
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
    world.portal.switches.front?.nonceUses = 0
    let again = try await world.world.open(world.transport)
    _ = try await again.logOut(ada.account)
    #expect(world.portal.requests(to: .logout).last?.status == 302)
    #expect(resolver.asked == ["digest The gate 0", "basic Another gate 0"])
  }

  @Test func `a refused saved credential is not sent again and again`() async throws {
    let resolver = ScriptedResolver(.useCredential(.gate(.forSession)))
    let world = try await PortalWorld.gated(.basic, resolver)
    _ = try await world.logIn(.cookie)
    world.portal.switches.front?.password = "another one"
    let document = HTTPRequest.get(try world.url("/documents/1"))
    _ = try? await world.book.send(document)
    world.portal.forgetRequests()
    _ = try? await world.book.send(document)
    let sent = world.portal.requests.filter { $0.request.fields["Authorization"] != nil }
    #expect(!world.portal.requests.isEmpty)
    #expect(sent.isEmpty)
  }
}
