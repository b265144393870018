import Gatebook
import GatebookFakes
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

  private func method(_ server: OAuth2Server = OAuth2Server()) throws -> LoginMethod {
    .openID(
      issuer: try #require(Issuer(Self.issuer)), server: server,
      application: OAuth2Application(clientID: "app", authentication: .post(Secret("s3cret"))),
      flow: .clientCredentials)
  }

  @Test func `a login in a session's place tells it too, once, in one with its success`()
    async throws
  {
    let world = try TestBook()
    let place = TestBox("/token")
    let book = try await world.open(transport(place))
    let first = try await book.logIn(method())
    #expect(try await book.logIn(method()).account == first.account)
    #expect(try !world.kinds().contains("discovery.changed"))
    place.value = "/v2/token"
    #expect(try await book.logIn(method()).account == first.account)
    let events = try await book.events(after: .start, limit: 100)
    let told = try #require(events.last { $0.kind == "discovery.changed" })
    #expect(told.data["endpoints"] == .list(["token_endpoint"]))
    let success = try #require(events.last { $0.kind == "login.succeeded" })
    #expect(told.cause == success.position && told.at == success.at)
    _ = try await book.logIn(method())
    // What is set by hand is not the server's.
    place.value = "/v3/token"
    var server = OAuth2Server()
    server.tokenURL = HTTPURL("\(Self.issuer)/v3/token")
    _ = try await book.logIn(method(server))
    #expect(try world.kinds().filter { $0 == "discovery.changed" }.count == 1)
  }

  @Test func `a renewal follows the server, and the log says so`() async throws {
    let world = try TestBook()
    let place = TestBox("/token")
    let book = try await world.open(transport(place))
    let ada = try await book.logIn(
      .openID(
        issuer: try #require(Issuer(Self.issuer)),
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
