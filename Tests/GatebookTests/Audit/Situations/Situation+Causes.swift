import GatebookEvents
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

extension Situation {
  /// What looks like something else at first sight.
  static let causes = [
    Situation("A server that asks for a stronger login and for scopes") {
      let stage = try await Tokens()
      let wanting = try await stage.demanding()
      for name in ["gold", "write", "write"] {
        _ = try? await wanting.send(.get(Tokens.page(name)), as: stage.ada)
      }
      return try await wanting.told(stage.ada)
    },
    Situation("Additional scopes that are demanded") {
      let stage = try await Tokens()
      let wanting = try await stage.demanding()
      _ = try? await wanting.send(.get(Tokens.page("write")), as: stage.ada)
      return try await wanting.told(stage.ada)
    },
    Situation("A page that the account is not allowed to open") {
      try await answered(403)
    },
    Situation("A request answered with 400") {
      try await answered(400)
    },
    Situation("Missing saved credentials") {
      let stage = try await Tokens(options: .saved)
      try await stage.book.drop([Purpose.session, Purpose.credentials], of: stage.ada)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A saved refresh token that the server rejected") {
      let stage = try await Tokens()
      try await stage.book.saveToken(of: stage.ada)
      stage.server.forgetRefreshTokens()
      stage.server.advance(601)
      _ = try? await stage.book.token(for: stage.ada)
      return try await stage.book.told(stage.ada)
    },
    Situation("A redirect that names another server") {
      try await refused { $0.changes[.redirect] = ["iss": "https://other.example"] }
    },
    Situation("An answer that does not name its server") {
      try await refused {
        $0.changes[.metadata] = ["authorization_response_iss_parameter_supported": "true"]
        $0.changes[.redirect] = ["iss": nil]
      }
    },
    Situation("A label that another account has") {
      let stage = try await Tokens()
      stage.server.settings.subject = "249"
      var options = LoginOptions()
      options.label = "work"
      _ = try await stage.book.logIn(stage.server.method(), options: options)
      stage.server.settings.subject = "250"
      _ = try? await stage.book.logIn(stage.server.method(), options: options)
      return try await stage.book.told(last: .loginFailed)
    },
    Situation("A refused refresh token after an unreadable answer") {
      let stage = try await Tokens()
      stage.server.advance(601)
      stage.server.settings.answer = HTTPReply(
        status: 200, fields: [HTTPField("Content-Type", "text/html")], body: Array("<html>".utf8))
      try await stage.use()
      stage.server.settings.answer = nil
      stage.server.forgetRefreshTokens()
      _ = try? await stage.book.renewNow(stage.ada)
      return try await stage.book.told(stage.ada)
    },
    Situation("A wrong key that was named at the login") {
      let world = try await GatewayWorld(tls: LoopbackTLS(FakeGatewayCertificates().selfSigned))
      var options = LoginOptions()
      options.trust.pins = [try #require(KeyHash(bytes: [UInt8](repeating: 0, count: 32)))]
      _ = try? await world.book.logIn(
        .fcsdk(
          try world.settings(secure: true), user: FakeGatewayUser.ada.username,
          password: Secret(FakeGatewayUser.ada.password)), options: options)
      return try await world.book.told(last: .loginFailed)
    },
    Situation("A login that did not name a user") {
      let world = try TestBook()
      let server = TokenServer(world.clock)
      let book = try await world.open(
        ScriptedTransport { request, route throws(TransportFailure) in
          guard request.url.path == "/me" else {
            return try await server.transport.send(request, through: route)
          }
          return HTTPReply(status: 401)
        })
      _ = try? await book.logIn(server.method())
      return try await book.told(last: .loginFailed)
    },
    Situation("A renewal with a forged ID token") {
      let party = try await RelyingParty()
      let ada = try await party.logIn().get()
      party.server.settings.signature = .spoilt
      _ = try await party.book.renewNow(ada.account)
      return try await party.book.told(ada.account)
    },
    Situation("A logout that the server deferred") {
      let world = try await PortalWorld()
      let ada = try await world.logInRevocably()
      world.portal.inject(.status(429, retryAfter: 3600), on: .revoke, times: nil)
      _ = try await world.book.logOut(ada.account)
      return try await world.book.told(ada.account)
    },
    Situation("The last wrong password offline") {
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic(), options: .saved).account
      server.set(.down)
      for _ in 1...5 { _ = try? await book.restore(ada, password: Secret("babbage")) }
      return try await book.told()
    },
    Situation("A challenge that the application cannot answer") {
      let world = try TestBook()
      let book = try await world.open(
        ScriptedTransport { _, _ in
          HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", "NTLM")])
        })
      _ = try? await book.logIn(.basic())
      return try await book.told(last: .loginFailed)
    },
    Situation("A login page that ended with an error") {
      try await refused {
        $0.changes[.redirect] = ["code": nil, "error": "login_required"]
      }
    },
    Situation("A failing server that rejects the session's token") {
      let stage = try await Tokens()
      stage.server.endTokens()
      stage.server.settings.isInTrouble = true
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A challenge of a waiting login") {
      let world = try TestBook()
      let book = try await world.open(RedirectServer().transport)
      _ = try await book.beginLogIn(.redirect())
      return try await book.told(last: .challengeReceived)
    },
  ]

  private static func answered(_ status: Int) async throws -> Told {
    let stage = try await Tokens()
    let book = try await stage.world.open(
      ScriptedTransport { [server = stage.server] request, route throws(TransportFailure) in
        guard request.url.path == "/data" else {
          return try await server.transport.send(request, through: route)
        }
        return HTTPReply(status: status)
      })
    _ = try await book.send(stage.server.page(), as: stage.ada)
    return try await book.told(stage.ada)
  }

  private static func refused(
    _ change: @Sendable (inout FakeIdentitySettings) -> Void
  ) async throws -> Told {
    let party = try await RelyingParty()
    change(&party.server.settings)
    _ = try await party.logIn()
    return try await party.book.told(last: .loginFailed)
  }
}

extension Situation.Tokens {
  /// A page that wants more of a login, by what it wants.
  fileprivate static func page(_ name: String) throws -> HTTPURL {
    try #require(HTTPURL("\(TokenServer.site)/\(name)"))
  }

  /// The book on a line whose pages want more of a login.
  fileprivate func demanding() async throws -> SessionBook {
    try await world.open(
      ScriptedTransport { [server] request, route throws(TransportFailure) in
        switch request.url.path {
        case "/gold":
          let demand = #"Bearer error="insufficient_user_authentication", acr_values="gold""#
          return HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", demand)])
        case "/write":
          let demand = #"Bearer error="insufficient_scope", scope="write""#
          return HTTPReply(status: 403, fields: [HTTPField("WWW-Authenticate", demand)])
        default: return try await server.transport.send(request, through: route)
        }
      })
  }
}

extension SessionBook {
  /// Takes secrets from the vault, as damage would.
  fileprivate func drop(_ purposes: [String], of account: AccountID) async throws {
    let session = try await requireSession(of: account)
    var append = Append([session.event(.cookiesChanged, data: ["cookies": .list([])])])
    append.vault = purposes.map { .remove(account, purpose: $0) }
    try await commit(append)
  }
}
