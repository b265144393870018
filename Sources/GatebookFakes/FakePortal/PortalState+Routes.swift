extension PortalState {
  mutating func admit(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard let front = switches.front else { return pass(&visit) }
    switch FrontVerdict.of(visit.request, front, &self) {
    case .refused(let reply): return reply
    case .admitted(let field):
      // The front's own credentials go no further.
      visit.dropAuthorization()
      let reply = pass(&visit)
      return field.map { reply.with($0.name, $0.value) } ?? reply
    }
  }

  func route(of path: String) -> FakeLiferayPortal.Route? {
    FakeLiferayPortal.Route.allCases.first { LoopbackFault.fits($0.rawValue, path) }
  }

  mutating func answer(
    _ visit: inout FakePortalRequest, on route: FakeLiferayPortal.Route
  ) -> LoopbackReply {
    switch route {
    case .root, .hop, .page: showPage(&visit)
    case .login: logIn(&visit)
    case .logout: logOut(&visit)
    case .invoke: invoke(&visit)
    case .documents: showDocument(&visit)
    case .authorize: authorizeApplication(&visit)
    case .token: giveTokens(&visit)
    case .revoke: revokeToken(&visit)
    case .requestToken: giveTemporaryCredentials(&visit)
    case .consumerAuthorize: authorizeConsumer(&visit)
    case .accessToken: giveTokenCredentials(&visit)
    }
  }
}

extension FakeLiferayPortal.Route: FakeServerRoute {
  var methods: [String] {
    switch self {
    case .root, .hop, .page, .documents: ["GET", "HEAD"]
    case .invoke, .token, .revoke, .accessToken: ["POST"]
    case .authorize, .consumerAuthorize, .requestToken: ["GET", "POST"]
    case .login, .logout: []
    }
  }
}
