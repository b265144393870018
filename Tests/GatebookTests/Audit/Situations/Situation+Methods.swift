import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  /// What each login method adds.
  static let methods = [
    Situation("A portal session renewed with the saved password") {
      let world = try await PortalWorld()
      let ada = try await world.logIn(.cookie)
      world.world.clock.advance(by: .seconds(890))
      _ = try await world.book.send(world.call(), as: ada.account)
      return try await world.book.told(ada.account)
    },
    Situation("A form session that the server ended") {
      let world = try TestBook()
      let server = FormServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(server.login(mayLogInAgain: false)).account
      server.endSessions()
      _ = try? await book.send(.get(server.url("/page")), as: ada)
      return try await book.told(ada)
    },
    Situation("A signed session whose token was revoked") {
      let world = try TestBook()
      let server = SignedServer(world.clock)
      let book = try await world.open(server.transport)
      _ = try await book.beginLogIn(.signed())
      let ada = try await book.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
      server.revoke()
      _ = try? await book.send(
        .get(try #require(HTTPURL("https://api.example/photos"))), as: ada.account)
      return try await book.told(ada.account)
    },
    Situation("A login by Digest") {
      let world = try await PortalWorld.gated(.sha256)
      let ada = try await world.book.logIn(
        .http(url: try world.url("/web/guest"), user: "gate", password: Secret("front door word")))
      return try await world.book.told(ada.account)
    },
    Situation("A token for the client itself") {
      let world = try TestBook()
      let server = TokenServer(world.clock)
      let book = try await world.open(server.transport)
      let app = try await book.logIn(
        .oauth2(
          tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), OAuth2Server(),
          application: OAuth2Application(clientID: "app", authentication: .post(Secret("s3cret"))),
          flow: .clientCredentials))
      return try await book.told(app.account)
    },
    Situation("A portal login by email address") {
      let world = try await PortalWorld()
      let ada = try await world.logIn(.email)
      return try await world.book.told(ada.account)
    },
    Situation("A security check that waits for an answer") {
      let world = try await MobileFirstWorld()
      let (manager, handler) = try await world.handled("UserLogin", "PinCode")
      try await manager.authenticate(.user("john"), check: "UserLogin")
      let account = try #require(await manager.account)
      let token = Task { try? await manager.obtainAccessToken(forScope: "PinCode") }
      await handler.hear("challenge PinCode")
      let told = try await world.book.told(account)
      await manager.cancel("PinCode")
      _ = await token.value
      return told
    },
    Situation("A security check that was passed") {
      let world = try await MobileFirstWorld()
      let manager = try await world.manager()
      try await manager.authenticate(.user("john"), check: "UserLogin")
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
      return try await world.book.told(try #require(await manager.account))
    },
    Situation("A security check that was cancelled") {
      let world = try await MobileFirstWorld()
      let (manager, handler) = try await world.handled("UserLogin")
      let login = Task {
        try? await manager.login("UserLogin", credentials: .user("john", "x"))
      }
      await handler.hear("challenge UserLogin [Wrong")
      await manager.cancel("UserLogin")
      _ = await login.value
      return try await world.book.told()
    },
    Situation("A token that the app discarded") {
      let world = try await MobileFirstWorld()
      let manager = try await world.manager()
      try await manager.authenticate(.user("john"), check: "UserLogin")
      let token = try await manager.obtainAccessToken(forScope: "UserLogin")
      try await manager.clearAccessToken(token)
      return try await world.book.told(last: .tokenCleared)
    },
  ]
}
