import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Whose connections requests use, whom they trust, and which servers are allowed.
@Suite(.timeLimit(.minutes(10))) struct AuthorizationRouteTests {
  private let world: MobileFirstWorld
  private let transport: ScriptedTransport
  private let book: SessionBook
  private let exception: TrustException

  init() async throws {
    world = try await MobileFirstWorld()
    let curl = world.transport
    transport = ScriptedTransport { request, route throws(TransportFailure) in
      try await curl.send(request, through: route)
    }
    book = try await world.world.open(transport)
    exception = TrustException(
      host: "mfp.example.test", port: 443, key: try KeyHash(TestCertificate.selfSigned().pin),
      defects: [.selfSigned])
  }

  /// An account whose login was made with an exception, and its manager.
  private func trusting() async throws -> (AuthorizationManager, AccountID) {
    var options = LoginOptions()
    options.trust.exceptions = [exception]
    let manager = try await book.authorizationManager(
      for: world.app(), account: nil, options: options, makeKey: { MobileFirstWorld.key })
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    #expect(try await book.trust(of: account).exceptions == [exception])
    return (manager, account)
  }

  /// The routes of what a piece of work sends.
  private func routes(of work: () async throws -> Void) async throws -> Set<Route> {
    let before = transport.calls.count
    try await work()
    return Set(transport.calls.dropFirst(before).map(\.route))
  }

  @Test(arguments: [true, false])
  func `trust that was revoked is not used again, nor recorded again`(isKept: Bool) async throws {
    var (manager, account): (AuthorizationManager?, AccountID) = try await trusting()
    if !isKept {
      manager = nil
      manager = try await book.authorizationManager(of: account)
    }
    let held = try #require(manager)
    try await book.revokeTrust(of: account, key: exception.key)
    let used = try await routes {
      _ = try await held.obtainAccessToken(forScope: "UserLogin")
      try await held.logout("UserLogin")
      _ = try await held.send(.get(world.url("publicData")))
      try await held.logout("PinCode")
      try await held.authenticate(.user("john"), check: "UserLogin")
    }
    #expect(used.allSatisfy { $0.trust == .system })
    #expect(try await book.trust(of: account) == .system)
  }

  @Test func `trust that is revoked while a challenge is open does not get its answer`()
    async throws
  {
    let (manager, account) = try await trusting()
    let handler = RecordingHandler()
    await manager.register(handler, for: "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    try await book.revokeTrust(of: account, key: exception.key)
    let used = try await routes {
      try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
      _ = try await token.value
    }
    #expect(used == [Route(pool: account.description)])
  }

  @Test func `without a session the account's trust counts for all that is sent`() async throws {
    var (manager, account): (AuthorizationManager?, AccountID) = try await trusting()
    try await manager?.logout("UserLogin")
    manager = nil
    let again = try await book.authorizationManager(
      for: world.app(), account: account, options: LoginOptions(),
      makeKey: { MobileFirstWorld.key })
    let trust = Trust(exceptions: [exception])
    let used = try await routes {
      _ = try await again.send(.get(world.url("publicData")))
      try await again.logout("PinCode")
    }
    #expect(used == [Route(pool: account.description, trust: trust)])
    let login = try await routes { try await again.authenticate(.user("john"), check: "UserLogin") }
    #expect(login.map(\.trust) == [trust])
    #expect(try await book.trust(of: account) == trust)
  }

  @Test func `a flow, its resource calls and its logout share connections that no other has`()
    async throws
  {
    var pools: [Set<String>] = []
    for _ in 1...2 {
      let manager = try await book.authorizationManager(
        for: world.app(), account: nil, options: LoginOptions(),
        makeKey: { MobileFirstWorld.key })
      let early = try await routes { _ = try await manager.send(.get(world.url("publicData"))) }
      #expect(early.count == 1)
      let handler = RecordingHandler()
      await manager.register(handler, for: "PinCode")
      let used = try await routes {
        let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
        #expect(await handler.next() == "challenge PinCode [] 3")
        try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
        _ = try await token.value
        _ = try await manager.send(.get(world.url("publicData")))
        try await manager.logout("PinCode")
      }
      #expect(used.count == 1)
      pools.append(Set(early.union(used).map(\.pool)))
    }
    #expect(pools[0].isDisjoint(with: pools[1]))
  }

  @Test func `cleartext is not allowed to an account that never needed it`() async throws {
    let manager = try await trusting().0
    let account = try #require(await manager.account)
    let other = try #require(HTTPURL("http://mfp.example.test/mfp"))
    await expect(.loginCleartext) { () throws(GatebookError) in
      try await manager.setAuthorizationServerURL(other)
    }
    let second = try await world.world.open(transport)
    let known = try await second.authorizationManager(of: account)
    await expect(.loginCleartext) { () throws(GatebookError) in
      try await known.setAuthorizationServerURL(other)
    }
    #expect(await known.app.authorizationServer == nil)
  }
}
