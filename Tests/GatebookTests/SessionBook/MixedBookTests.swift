import Gatebook
import GatebookFakes
import Testing

/// Accounts of all three systems in one book, at servers of one host: cookies know no ports.
@Suite struct MixedBookTests {
  /// What of requests proves their sender: cookies, tokens and nonces.
  private static func proofs(in requests: [LoopbackRequest]) -> Set<String> {
    var proofs: Set<String> = []
    for request in requests {
      // Whether a browser keeps cookies is no secret, and the same everywhere.
      for cookie in (request.fields["Cookie"] ?? "").split(separator: "; ")
      where !cookie.hasPrefix("COOKIE_SUPPORT=") { proofs.insert(String(cookie)) }
      for name in ["Authorization", "X-CSRF-Token"] {
        if let value = request.fields[name] { proofs.insert(value) }
      }
    }
    return proofs
  }

  @Test func `a portal, a gateway and a MobileFirst server hear nothing of each other`()
    async throws
  {
    let world = try await PortalWorld()
    let book = world.book
    let gateway = try FakeGateway(clock: world.world.clock)
    try gateway.start()
    defer { gateway.stop() }
    let checks = try FakeMobileFirstServer.sample(clock: world.world.clock)
    try checks.start()
    defer { checks.stop() }
    world.portal.switches.front = .gate(.sha256)
    await book.register(ScriptedResolver(last: .useCredential(.gate(.forSession))))
    let ada = try await world.logIn(.cookie).account
    let user = FakeGatewayUser.ada
    let caller = try await book.logIn(
      .fcsdk(
        FCSDKGateway(server: "127.0.0.1", port: Int(gateway.port), secure: false),
        user: user.username, password: Secret(user.password))
    ).account
    let manager = try await book.authorizationManager(
      for: MobileFirstApp(
        server: try #require(HTTPURL("\(checks.url)/mfp")), applicationID: "com.example.app",
        version: "1.0"),
      account: nil, options: LoginOptions(), makeKey: { MobileFirstWorld.key })
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let john = try #require(await manager.account)
    #expect(Set([ada, caller, john]).count == 3)
    let document = HTTPRequest.get(try world.url("/documents/1"))
    let page = HTTPRequest.get(try #require(HTTPURL(gateway.url + "/csdk-sample/page")))
    let balance = HTTPRequest.get(
      try #require(HTTPURL("\(checks.apiURL)/adapters/ResourceAdapter/balance")))
    for _ in 0..<2 {
      #expect(try await book.send(document, as: ada).status == 200)
      _ = try await book.send(page, as: caller)
      #expect(try await manager.send(balance).status == 200)
    }
    // Nobody reaches another one's server either.
    for (account, foreign) in [(ada, page), (caller, document), (john, document)] {
      await expect(.originForeign) { () throws(GatebookError) in
        _ = try await book.send(foreign, as: account)
      }
    }
    let heard = [
      Self.proofs(in: world.portal.requests.map(\.request)),
      Self.proofs(in: gateway.requests.map(\.request)),
      Self.proofs(in: checks.requests.map(\.request)),
    ]
    for (index, proofs) in heard.enumerated() {
      #expect(!proofs.isEmpty, "server \(index)")
      for other in heard[..<index] { #expect(proofs.isDisjoint(with: other)) }
    }
  }
}
