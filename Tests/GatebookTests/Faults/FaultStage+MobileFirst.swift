import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// A stage whose server is the fake MobileFirst server.
  static func mobileFirst() async throws -> FaultStage {
    let world = try TestBook()
    let server = try FakeMobileFirstServer.sample(clock: world.clock)
    let proxy = try FaultProxy(to: server.port, clock: world.clock)
    try server.start()
    let place = server.apiURL.dropFirst(server.url.count) + "/adapters/ResourceAdapter/balance"
    return try await FaultStage(
      world, proxy, server: server, page: .get(try url(proxy, String(place))),
      received: { server.requests.map(\.request) }, secrets: { server.secretsIssued },
      entering: { book in
        let app = MobileFirstApp(
          server: try url(proxy, "/mfp"), applicationID: "com.example.app", version: "1.0")
        let manager = try await book.authorizationManager(
          for: app, account: nil, options: LoginOptions(), makeKey: { MobileFirstWorld.key })
        try await manager.authenticate(.user("john"), check: "UserLogin")
        return try await book.context(of: try #require(await manager.account))
      })
  }
}
