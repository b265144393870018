import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// A stage whose server is the fake identity server.
  static func identity(_ flow: FaultedFlow) async throws -> FaultStage {
    let world = try TestBook()
    let server = try FakeIdentityServer(clock: world.clock)
    let proxy = try FaultProxy(to: server.port, clock: world.clock)
    server.issuer = proxy.url
    server.settings.pendingPolls = 1
    if flow == .openIDBound {
      server.settings.bindsTokens = true
      server.settings.proofNonce = "first"
    }
    if flow == .openIDPushed {
      server.settings.takesPushedRequests = true
      server.settings.changes[.metadata] = ["require_pushed_authorization_requests": "true"]
    }
    server.settings.clientProof = proof(of: flow)
    try server.start()
    let issuer = try #require(Issuer(proxy.url))
    let person = FaultPerson(past: proxy.url, to: server.url)
    return try await FaultStage(
      world, proxy, server: server, page: .get(try url(proxy, "/notes")), person: person,
      received: { server.requests },
      secrets: {
        server.secretsIssued + [FakeIdentityServer.secret, FakeIdentityServer.password]
      },
      method: {
        guard FaultedFlow.byHand.contains(flow) else {
          return .openID(issuer: issuer, application: try application(flow), flow: grant(flow))
        }
        var places = OAuth2Server()
        places.authorisationURL = try url(proxy, "/authorize")
        places.deviceAuthorisationURL = try url(proxy, "/device")
        places.revocationURL = try url(proxy, "/revoke")
        guard flow != .oauth2Introspected else {
          places.introspectionURL = try url(proxy, "/introspect")
          return .oauth2(
            tokenURL: try url(proxy, "/token"), places, application: try application(flow),
            flow: grant(flow))
        }
        return .oauth2(
          tokenURL: try url(proxy, "/token"), places, application: try application(flow),
          flow: grant(flow), checkURL: try url(proxy, "/notes"), user: "ada")
      })
  }

  private static func proof(of flow: FaultedFlow) -> FakeIdentitySettings.ClientProof {
    switch flow {
    case .openIDPassword, .oauth2Client, .oauth2Introspected: .basic
    case .openIDClient: .privateKey
    case .openIDDevice, .oauth2Password: .post
    default: .none
    }
  }

  private static func application(_ flow: FaultedFlow) throws -> OAuth2Application {
    let secret = Secret(FakeIdentityServer.secret)
    let authentication: OAuth2Application.Authentication =
      switch proof(of: flow) {
      case .none: .none
      case .basic: .basic(secret)
      case .post: .post(secret)
      case .privateKey: try .privateKey(Secret(FakeIdentityServer.clientKeyPEM), keyID: "fake-1")
      }
    var application = OAuth2Application(
      clientID: FakeIdentityServer.clientID, authentication: authentication)
    application.bindsTokens = flow == .openIDBound
    return application
  }

  private static func grant(_ flow: FaultedFlow) -> OAuth2Flow {
    switch flow {
    case .openIDDevice, .oauth2Device: .device
    case .openIDPassword, .oauth2Password, .oauth2Introspected:
      .password(user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))
    case .openIDClient, .oauth2Client: .clientCredentials
    default: .code(redirectURI: "com.example.app:/back")
    }
  }

  static func url(_ proxy: FaultProxy, _ path: String) throws -> HTTPURL {
    try #require(HTTPURL(proxy.url + path))
  }
}
