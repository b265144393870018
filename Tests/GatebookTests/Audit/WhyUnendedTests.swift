import GatebookFakes
import GatebookStore
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What `why` says of logins and renewals that somebody began, and nobody ended.
@Suite struct WhyUnendedTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  /// What the process leaves that dies over its question to the server.
  private func dying(_ account: AccountID) async throws -> TestBook {
    await server.gate.shut()
    let dying = Task { try? await book.token(for: account) }
    await server.gate.arrival()
    let image = try world.crashImage()
    image.clock.set(world.clock.now())
    await server.gate.open()
    _ = await dying.value
    return image
  }

  @Test func `an unfinished renewal is explained after a logout`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    let image = try await dying(ada)
    let later = try await image.open(server.transport(isGated: false))
    try await later.logOut(ada)
    let told = Told(try await later.why(ada))
    #expect(
      told.answer.contains(
        "the user logged out. A renewal was started, and its outcome is not recorded. Its process has ended. "
          + "If the request reached the server, the tokens that it granted may still be valid there."
      ), "\(told)")
    #expect(
      told.steps.contains {
        $0.hasSuffix("because the access token was expiring. Its outcome is not recorded.")
      }, "\(told)")
    #expect(told.advice == .logIn)
    _ = try await later.archive(to: image.path + ".archive")
    let after = Told(try await later.why(ada))
    #expect(after.answer == told.answer, "\(after)")
    #expect(after.steps.contains { $0.hasSuffix("Its outcome is not recorded.") }, "\(after)")
    _ = try await later.logIn(server.method())
    #expect(try await !Told(later.why(ada)).answer.contains("outcome is not recorded"))
  }

  @Test func `the advice is to wait for a stopped renewal of a logged-out account`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    await server.gate.shut()
    let renewal = Task { try? await book.token(for: ada) }
    await server.gate.arrival()
    let other = try await world.open(server.transport(isGated: false))
    try await other.logOut(ada)
    let told = Told(try await other.why(ada))
    #expect(told.answer.contains("is still renewing it: it is waiting"), "\(told)")
    #expect(told.advice == .awaitProcess)
    await server.gate.open()
    _ = await renewal.value
    let after = Told(try await other.why(ada))
    #expect(!after.answer.contains("renewal"), "\(after)")
    #expect(!after.steps.contains { $0.contains("outcome is not recorded") }, "\(after)")
  }

  @Test(arguments: [false, true])
  func `an unfinished login with saved credentials is explained`(isLoggedOut: Bool) async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method(), options: .saved).account
    server.advance(601)
    let image = try await dying(ada)
    let later = try await image.open(server.transport(isGated: false))
    if isLoggedOut {
      try await later.logOut(ada, forgettingCredentials: true)
    } else {
      _ = try await later.removeCredentials(of: ada)
    }
    let told = Told(try await later.why(ada))
    #expect(
      told.answer.contains(
        "A login with saved credentials was started, and its outcome is not recorded. Its process has ended"
      ),
      "\(told)")
    #expect(
      told.steps.contains {
        $0.hasSuffix("with saved credentials. Its outcome is not recorded.")
      }, "\(told)")
    #expect(told.advice == .logIn)
    // The session's own end comes before the events after it.
    let times = try await later.why(ada).steps.map(\.at)
    #expect(times == times.sorted())
  }

  @Test func `a login that waits is not told as one with those that have ended`() async throws {
    let ada = try await book.logIn(server.method()).account
    let pages = try await world.open(RedirectServer().transport)
    var options = LoginOptions()
    options.account = ada
    let waiting = try await pages.beginLogIn(.redirect(), options: options)
    world.clock.advance(by: .seconds(5))
    let second = try await pages.beginLogIn(.redirect(), options: options)
    let both = Told(try await book.why(ada)).steps.suffix(2)
    #expect(
      both.first?.hasSuffix(
        "Its outcome is not recorded. This line covers 2 such events, the first of them at T.")
        == true,
      "\(both)")
    _ = try await pages.cancelLogIn(second.id)
    let told = Told(try await book.why(ada))
    let begun = told.steps.filter { $0.contains("portal.example.test by") }
    #expect(begun.count == 2, "\(told)")
    #expect(begun.first?.hasSuffix("Its outcome is not recorded.") == true, "\(told)")
    #expect(begun.last?.hasSuffix("by liferay-oauth2-redirect.") == true, "\(told)")
    world.clock.advance(by: .seconds(86_400))
    #expect(
      Told(try await book.why(ada)).steps.contains {
        $0.hasSuffix(
          "Its outcome is not recorded, and it can no longer be continued.")
      }, "\(told)")
    _ = waiting
  }

  @Test func `a logout between a login's start and end is explained`() async throws {
    let pages = try await world.open(RedirectServer().transport)
    let first = try await pages.beginLogIn(.redirect())
    let ada = try await pages.finishLogIn(redirect: try Self.answer(first, "code-1")).account
    var options = LoginOptions()
    options.account = ada
    let next = try await pages.beginLogIn(.redirect(), options: options)
    try await pages.logOut(ada)
    _ = try await pages.finishLogIn(redirect: try Self.answer(next, "code-2"))
    let steps = Told(try await pages.why(ada)).steps
    let logout = try #require(steps.firstIndex { $0.contains("logged the account out") })
    #expect(steps[logout + 1].hasPrefix("The server was "), "\(steps)")
    #expect(steps.last?.hasPrefix("The login succeeded") == true)
  }

  @Test func `a successful login is not hidden by a failed one`() async throws {
    let pages = try await world.open(RedirectServer().transport)
    let first = try await pages.beginLogIn(.redirect())
    let ada = try await pages.finishLogIn(redirect: try Self.answer(first, "code-0")).account
    var options = LoginOptions()
    options.account = ada
    let one = try await pages.beginLogIn(.redirect(), options: options)
    _ = try await pages.beginLogIn(.redirect(), options: options)
    _ = try await pages.finishLogIn(redirect: try Self.answer(one, "code-1"))
    let last = try #require(
      try await pages.events(after: .start).last { $0.isKind(.loginSucceeded) })
    let steps = try #require(try await pages.why(last.position)).steps
    #expect(steps.allSatisfy { $0.count == 1 })
    #expect(steps.contains { $0.position == last.cause })
  }

  @Test func `the explanation of an unfinished login depends on the account's present state`()
    async throws
  {
    let ada = try await book.logIn(server.method()).account
    var options = LoginOptions()
    options.account = ada
    await server.gate.shut()
    let login = Task { [options] in try? await book.logIn(server.method(), options: options) }
    await server.gate.arrival()
    let start = try #require(
      try await book.events(after: .start).last { $0.isKind(.loginStarted) })
    let told = try #require(try await book.why(start.position))
    #expect(told.present != nil && told.advice == .nothing)
    await server.gate.open()
    _ = await login.value
  }

  @Test func `the holder of the account's lock is explained, whatever it does`() async throws {
    let ada = try await book.logIn(server.method()).account
    let reader = try BookReader.open(at: world.path)
    let lock = try #require(try reader.takeLock(of: ada))
    let told = try await Told(book.why(ada))
    #expect(
      told.answer.contains("holds the lock that every renewal and login of the account"), "\(told)")
    #expect(told.advice == .awaitProcess)
    withExtendedLifetime(lock) {}
  }

  @Test func `a page that nobody came back from is described as that, with its user`() async throws
  {
    let ada = try await book.logIn(server.method()).account
    let pages = try await world.open(RedirectServer().transport)
    var options = LoginOptions()
    options.account = ada
    _ = try await pages.beginLogIn(.redirect(), options: options)
    world.clock.advance(by: .seconds(86_400))
    _ = try await pages.beginLogIn(.redirect(), options: options)
    let steps = Told(try await book.why(ada)).steps
    #expect(steps.contains("Nobody returned from the server's login page in time."), "\(steps)")
    #expect(steps.contains { $0.hasPrefix("The login failed: nobody answered in time") })
  }

  @Test func `the process that began a successful renewal is explained`() async throws {
    let ada = try await book.logIn(server.method()).account
    _ = try await book.renewNow(ada)
    server.forgetRefreshTokens()
    _ = try? await book.renewNow(ada)
    let steps = Told(try await book.why(ada)).steps
    let renewed = try #require(steps.firstIndex { $0.hasPrefix("The session was renewed") })
    #expect(steps[renewed - 1].contains("was about to send"), "\(steps)")
  }

  private static func answer(_ login: PendingLogin, _ code: String) throws -> String {
    let state = try #require(
      login.page.query?.split(separator: "&").first { $0.hasPrefix("state=") })
    return "\(login.redirectURI)?code=\(code)&\(state)"
  }
}
