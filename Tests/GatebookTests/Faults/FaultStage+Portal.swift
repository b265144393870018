import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// A stage whose server is the fake portal.
  static func portal(_ mode: PortalMode) async throws -> FaultStage {
    let world = try TestBook()
    let portal = try FakeLiferayPortal(clock: world.clock)
    let proxy = try FaultProxy(to: portal.port, clock: world.clock)
    try portal.start()
    let ada = FakePortalUser.ada
    let person = FaultPerson(past: proxy.url, to: portal.url) { page in
      let ending = try await PortalVisitor(ada).visit(page)
      guard case .redirected(let uri) = ending else { return "" }
      return uri
    }
    return try await FaultStage(
      world, proxy, server: portal, page: try whoAmI(proxy), person: person,
      received: { portal.requests.map(\.request) },
      secrets: { portal.secretsIssued + [ada.password, FakePortalConsumer.sample.secret] },
      method: {
        let liferay = LiferayPortal(server: try url(proxy, ""), companyID: 10154)
        return .liferay(liferay, try login(mode))
      })
  }

  private static func whoAmI(_ proxy: FaultProxy) throws -> HTTPRequest {
    HTTPRequest(
      "POST", try url(proxy, "/api/jsonws/invoke"),
      fields: [HTTPField("Content-Type", "application/json")],
      body: Array("[{\"/user/get-current-user\":{}}]".utf8))
  }

  private static func login(_ mode: PortalMode) throws -> LiferayLogin {
    let ada = FakePortalUser.ada
    let password = Secret(ada.password)
    switch mode {
    case .cookie: return .cookie(login: ada.emailAddress, password: password)
    case .oauth1:
      let consumer = FakePortalConsumer.sample
      return .oauth(
        consumerKey: consumer.key, consumerSecret: Secret(consumer.secret),
        callback: PortalWorld.callback)
    case .oauth2Redirect:
      return .oauth2Redirect(
        clientID: FakePortalApplication.native.clientID, redirectURI: PortalWorld.callback)
    case .oauth2Password:
      let application = FakePortalApplication.confidential
      return .oauth2Password(
        user: ada.emailAddress, password: password, clientID: application.clientID,
        clientSecret: Secret(try #require(application.secret)))
    case .email, .screenName, .userID:
      return .basic(.email(ada.emailAddress), password: password)
    }
  }

  /// A stage whose server asks for Digest.
  static func digest() async throws -> FaultStage {
    let world = try TestBook()
    let portal = try FakeLiferayPortal(clock: world.clock)
    portal.switches.front = .gate(.sha256)
    let proxy = try FaultProxy(to: portal.port, clock: world.clock)
    try portal.start()
    let place = try url(proxy, "/web/guest")
    return try await FaultStage(
      world, proxy, server: portal, page: .get(place),
      received: { portal.requests.map(\.request) },
      secrets: { portal.secretsIssued + ["front door word"] },
      method: { .http(url: place, user: "gate", password: Secret("front door word")) })
  }

  /// A stage whose server is the fake gateway.
  static func gateway() async throws -> FaultStage {
    let world = try TestBook()
    let gateway = try FakeGateway(clock: world.clock)
    let proxy = try FaultProxy(to: gateway.port, clock: world.clock)
    try gateway.start()
    let ada = FakeGatewayUser.ada
    var stage = try await FaultStage(
      world, proxy, server: gateway, page: .get(try url(proxy, "/csdk-sample/nothing")),
      received: { gateway.requests.map(\.request) },
      secrets: { gateway.secretsIssued + [ada.password] },
      method: {
        .fcsdk(
          try FCSDKGateway(
            server: "127.0.0.1", port: Int(proxy.port), secure: false, useCookies: true),
          user: ada.username, password: Secret(ada.password))
      })
    stage.pageStatus = 404
    return stage
  }
}
