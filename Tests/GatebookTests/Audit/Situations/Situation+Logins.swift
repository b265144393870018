import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  /// Logins that did not succeed, and sessions that were refused later.
  static let logins = [
    Situation("A wrong password") {
      let world = try TestBook()
      let book = try await world.open(BasicServer().transport)
      _ = try? await book.logIn(.basic(password: "babbage"))
      return try await book.told(last: .loginFailed)
    },
    Situation("A first login without network") {
      let world = try TestBook()
      let server = BasicServer()
      server.set(.down)
      let book = try await world.open(server.transport)
      _ = try? await book.logIn(.basic())
      return try await book.told(last: .loginFailed)
    },
    Situation("A login whose outcome is not recorded") {
      let world = try TestBook()
      let book = try await world.open(RedirectServer().transport)
      _ = try await book.beginLogIn(.redirect())
      return try await book.told(last: .loginStarted)
    },
    Situation("A logout that kept the saved credentials") {
      let (world, _, book, ada) = try await saved()
      defer { withExtendedLifetime(world) {} }
      _ = try await book.logOut(ada)
      return try await book.told(ada)
    },
    Situation("Saved credentials that a lost answer used up") {
      let (world, server, book, ada) = try await saved()
      // Its folder goes with it.
      defer { withExtendedLifetime(world) {} }
      _ = try await book.logOut(ada)
      server.settings.lostAnswers = 1
      _ = try? await book.logInAgain(ada)
      _ = try? await book.logInAgain(ada)
      return try await book.told(last: .loginFailed)
    },
    Situation("Saved credentials answered with a new refresh token alone") {
      let (world, server, book, ada) = try await saved()
      // Its folder goes with it.
      defer { withExtendedLifetime(world) {} }
      _ = try await book.logOut(ada)
      server.settings.tokenType = "mac"
      _ = try? await book.logInAgain(ada)
      return try await book.told(last: .loginFailed)
    },
    Situation("A check page that needs no login") {
      let world = try TestBook()
      let book = try await world.open(BasicServer().transport)
      _ = try? await book.logIn(.basic("http://127.0.0.1:8080/public"))
      return try await book.told(last: .loginFailed)
    },
    Situation("A password that was changed at the server") {
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic()).account
      server.change(password: "babbage")
      _ = try? await book.send(
        .get(try #require(HTTPURL("http://127.0.0.1:8080/private/page"))), as: ada)
      return try await book.told(ada)
    },
    Situation("A password tried offline") {
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic(), options: .saved).account
      server.set(.down)
      _ = try? await book.restore(ada, password: Secret("babbage"))
      _ = try await book.restore(ada, password: Secret("lovelace"))
      return try await book.told(ada)
    },
    Situation("A login page without a redirect") {
      let world = try TestBook()
      let book = try await world.open(RedirectServer().transport)
      _ = try await book.beginLogIn(.redirect())
      world.clock.advance(by: .seconds(86_400))
      _ = try? await book.beginLogIn(.redirect())
      return try await book.told(last: .loginFailed)
    },
    Situation("A login that the user declined") {
      let world = try await PortalWorld()
      let pending = try await world.book.beginLogIn(world.method(.oauth2Redirect))
      _ = try? await world.book.finishLogIn(
        redirect: world.redirect(of: pending, .ada, .deny))
      return try await world.book.told()
    },
    Situation("A code that was not entered") {
      let world = try TestBook()
      let book = try await world.open(DeviceServer.transport(pending: .max))
      _ = try? await book.logIn(DeviceServer.method(), browser: DeviceScreen())
      return try await book.told(last: .loginFailed)
    },
    Situation("A device code that was denied") {
      let world = try TestBook()
      let book = try await world.open(
        DeviceServer.transport(pending: .max, refusal: "access_denied"))
      _ = try? await book.logIn(DeviceServer.method(), browser: DeviceScreen())
      return try await book.told()
    },
  ]

  /// An account that has saved its refresh token.
  private static func saved() async throws -> (TestBook, TokenServer, SessionBook, AccountID) {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    try await book.saveToken(of: ada)
    return (world, server, book, ada)
  }
}
