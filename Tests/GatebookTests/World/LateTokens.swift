import Gatebook
import GatebookCurl
import GatebookFakes

/// Lets the answers of the token endpoint through when a gate opens.
struct LateTokens: Transport {
  let transport: CurlTransport
  let gate: Gate

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    if request.url.target.hasSuffix("/oauth2/token") { await gate.pass() }
    return reply
  }
}

extension PortalWorld {
  /// Logs in with tokens that can be revoked: the portal's own paths name no place for that.
  func logInRevocably(_ user: FakePortalUser = .ada) async throws -> SessionContext {
    portal.switches.hasRevocation = true
    var paths = LiferayOAuth2Paths()
    paths.revoke = "o/oauth2/revoke"
    let method = try method(.oauth2Password, user, options: PortalOptions(paths: paths))
    return try await logIn(method, user)
  }
}
