import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  /// What was "refused", by its cause.
  static let endCauses = [
    Situation("A session cookie that expired") {
      let world = try TestBook()
      let isLoggedIn = TestBox(false)
      let book = try await world.open(formServer(isLoggedIn, attributes: "; Max-Age=1800"))
      let server = FormServer()
      let ada = try await book.logIn(server.login(mayLogInAgain: false)).account
      world.clock.advance(by: .seconds(2000))
      _ = try? await book.send(.get(server.url("/page")), as: ada)
      return try await book.told(ada)
    },
    Situation("A revoked OAuth 1.0a token") {
      try await revoked(#"OAuth oauth_problem="token_revoked""#)
    },
    Situation("A token of OAuth 1.0a that is no longer valid") {
      try await revoked(#"Bearer error="invalid_token""#)
    },
    Situation("A rejected access token without a refresh token") {
      let stage = try await Tokens { $0.givesRefreshTokens = false }
      stage.server.endTokens()
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A token and a saved password that were both rejected") {
      let stage = try await Tokens(options: .saved)
      stage.server.forgetRefreshTokens()
      stage.server.settings.refusesPasswords = true
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A web page instead of the server's answer") {
      try await answered(
        HTTPReply(
          status: 403, fields: [HTTPField("Content-Type", "text/html")],
          body: Array("<html>Blocked.</html>".utf8)))
    },
    Situation("A proxy that asks for a password") {
      try await answered(HTTPReply(status: 407))
    },
    Situation("A redirect whose answer had already been used") {
      let world = try TestBook()
      let server = SignedServer(world.clock)
      let book = try await world.open(server.transport)
      _ = try await book.beginLogIn(.signed())
      for _ in 1...2 {
        _ = try? await book.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
      }
      return try await book.told(last: .challengeFailed)
    },
    Situation("A redirect after the end of its login") {
      let world = try TestBook()
      let server = SignedServer(world.clock)
      let book = try await world.open(server.transport)
      _ = try await book.beginLogIn(.signed())
      world.clock.advance(by: .seconds(86_400))
      for _ in 1...2 {
        _ = try? await book.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
      }
      return try await book.told(last: .challengeFailed)
    },
    Situation("A renewal with fewer scopes than before") {
      let stage = try await Tokens(scopes: ["read", "write"]) { $0.scope = "read write" }
      stage.server.settings.scope = "read"
      stage.server.advance(550)
      _ = try await stage.book.renewNow(stage.ada)
      return try await stage.book.told(stage.ada)
    },
  ]

  /// A server with a login form.
  ///
  /// Its cookie is as the test says, and expires when a request comes without it.
  static func formServer(_ isLoggedIn: TestBox<Bool>, attributes: String) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      if request.url.path == "/login", request.method == "POST" {
        isLoggedIn.value = true
        return HTTPReply(
          status: 302,
          fields: [
            HTTPField("Location", "/check"), HTTPField("Set-Cookie", "sid=1; Path=/\(attributes)"),
          ])
      }
      if request.url.path == "/form" { return HTTPReply(status: 200) }
      guard isLoggedIn.value, request.fields.first("Cookie")?.contains("sid=1") == true else {
        return HTTPReply(status: 302, fields: [HTTPField("Location", "/form")])
      }
      return HTTPReply(status: 200, body: Array("ok".utf8))
    }
  }

  private static func revoked(_ challenge: String) async throws -> Told {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let isRevoked = TestBox(false)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard !isRevoked.value else {
          return HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", challenge)])
        }
        return try await server.transport.send(request, through: route)
      })
    _ = try await book.beginLogIn(.signed())
    let ada = try await book.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
    isRevoked.value = true
    _ = try? await book.send(
      .get(try #require(HTTPURL("https://api.example/photos"))), as: ada.account)
    return try await book.told(ada.account)
  }

  private static func answered(_ reply: HTTPReply) async throws -> Told {
    let stage = try await Tokens()
    stage.server.settings.answer = reply
    stage.server.advance(601)
    try await stage.use()
    return try await stage.book.told(stage.ada)
  }
}
