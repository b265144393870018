import Gatebook
import GatebookTestSupport
import Testing

/// A server that describes itself, and moves.
@Suite struct DiscoveryChangeTests {
  private static let issuer = "https://issuer.example"

  /// Tokens from the endpoint that the server names at the time, and from no other.
  private func transport(_ place: TestBox<String>) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      let path = place.value
      switch request.url.path {
      case "/.well-known/openid-configuration":
        let body =
          "{\"issuer\":\"\(Self.issuer)\",\"token_endpoint\":\"\(Self.issuer)\(path)\"}"
        return HTTPReply(status: 200, body: Array(body.utf8))
      case path:
        let body = "{\"access_token\":\"acc\",\"token_type\":\"Bearer\",\"expires_in\":600}"
        return HTTPReply(status: 200, body: Array(body.utf8))
      case "/data": return HTTPReply(status: 200)
      default: return HTTPReply(status: 404)
      }
    }
  }

  @Test func `a renewal follows the server, and the log says so`() async throws {
    let world = try TestBook()
    let place = TestBox("/token")
    let book = try await world.open(transport(place))
    let ada = try await book.logIn(
      .openID(
        issuer: try #require(HTTPURL(Self.issuer)),
        application: OAuth2Application(
          clientID: "app", authentication: .post(Secret("s3cret"))),
        flow: .clientCredentials))
    #expect(ada.loginName == .known("app"))
    let page = HTTPRequest.get(try #require(HTTPURL("\(Self.issuer)/data")))
    world.clock.advance(by: .seconds(590))
    #expect(try await book.send(page).status == 200)
    #expect(try !world.kinds().contains("discovery.changed"))
    place.value = "/v2/token"
    world.clock.advance(by: .seconds(3600))
    #expect(try await book.send(page).status == 200)
    #expect(
      try world.kinds().suffix(3) == ["refresh.started", "refresh.succeeded", "discovery.changed"])
  }
}
