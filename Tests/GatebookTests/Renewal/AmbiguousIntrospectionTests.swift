import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// An introspection that answers false: the token is dead, or the application may not ask (RFC 7662
/// section 2.2).
@Suite struct AmbiguousIntrospectionTests {
  @Test(arguments: [true, false])
  func `it ends no session whose access token the server may still accept`(
    isRefusedBefore: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    server.settings.lifetime = .seconds(86_400)
    let isActive = TestBox(true)
    let status = TestBox(400)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        switch request.url.path {
        case "/introspect":
          let body = isActive.value ? #"{"active":true,"username":"ada"}"# : #"{"active":false}"#
          return HTTPReply(status: 200, body: Array(body.utf8))
        case "/page": return HTTPReply(status: status.value)
        default: return try await server.transport.send(request, through: route)
        }
      })
    var places = OAuth2Server()
    places.introspectionURL = HTTPURL("\(TokenServer.site)/introspect")
    let ada = try await book.logIn(
      .oauth2(
        tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), places,
        application: OAuth2Application(clientID: "app", authentication: .post(Secret("own"))),
        flow: .password(user: "ada", Secret("rabbit")))
    ).account
    server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    if isRefusedBefore {
      await #expect(throws: GatebookError.self) { try await book.renewNow(ada) }
    }
    isActive.value = false
    let page = HTTPRequest.get(try #require(HTTPURL("\(TokenServer.site)/page")))
    if !isRefusedBefore {
      let before = try world.kinds().count
      _ = try await book.restore(ada)
      let error = try #require(try await book.sync().failures.first?.error)
      #expect(error.code == .loginUnprovable)
      // The refresh token was sent and refused: that is said, and why it was sent.
      #expect(error.message.contains(FailureCode.tokenRefused.sentence), "\(error)")
      #expect(error.kept.contains("access token is used until it expires"), "\(error)")
      let events = try BookReader.open(at: world.path).events(EventFilter())
      let started = try #require(events.dropFirst(before).first { $0.kind == "refresh.started" })
      #expect(started.data["trigger"]?.text == "undecided")
    }
    // The answer 400 makes the next use ask.
    #expect(try await book.send(page, as: ada).status == 400)
    status.value = 200
    #expect(try await book.send(page, as: ada).status == 200)
    let context = try await book.context(of: ada)
    #expect(context.state.isUsable)
    #expect(context.renewalEnd == .refused)
    #expect(server.tokenRequests == 2)
    #expect(try world.kinds().last == "session.unverified")
  }
}
