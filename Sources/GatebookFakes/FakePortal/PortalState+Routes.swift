extension PortalState {
  typealias Route = FakeLiferayPortal.Route

  static let routes = [
    ServerRoute<Self>(.root, "GET", "HEAD") { $0.showPage(&$1) },
    ServerRoute<Self>(.hop, "GET", "HEAD") { $0.showPage(&$1) },
    ServerRoute<Self>(.page, "GET", "HEAD") { $0.showPage(&$1) },
    ServerRoute<Self>(.documents, "GET", "HEAD") { $0.showDocument(&$1) },
    ServerRoute<Self>(.login) { $0.logIn(&$1) },
    ServerRoute<Self>(.logout) { $0.logOut(&$1) },
    ServerRoute<Self>(.invoke, "POST") { $0.invoke(&$1) },
    ServerRoute<Self>(.authorize, "GET", "POST") { $0.authorizeApplication(&$1) },
    ServerRoute<Self>(.token, "POST") { $0.giveTokens(&$1) },
    ServerRoute<Self>(.revoke, "POST") { $0.revokeToken(&$1) },
    ServerRoute<Self>(.requestToken, "GET", "POST") { $0.giveTemporaryCredentials(&$1) },
    ServerRoute<Self>(.consumerAuthorize, "GET", "POST") { $0.authorizeConsumer(&$1) },
    ServerRoute<Self>(.accessToken, "POST") { $0.giveTokenCredentials(&$1) },
  ]

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
}
