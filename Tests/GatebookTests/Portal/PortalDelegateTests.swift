import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What a login delegate hears, in which order, and how often.
@Suite struct PortalDelegateTests {
  private let world: PortalWorld
  private let delegate = HeardLogins()

  init() async throws {
    world = try await PortalWorld()
    await world.book.setLoginDelegate(delegate)
  }

  private var saving: LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = true
    return options
  }

  @Test(arguments: PortalMode.allCases)
  func `the delegate hears of a login, then of saved, then of loaded credentials`(
    mode: PortalMode
  ) async throws {
    let ada = try await world.logIn(world.method(mode), options: saving)
    #expect(await delegate.heard == ["response", "saved"])
    _ = try await world.book.restore(ada.account)
    #expect(await delegate.heard == ["response", "saved", "loaded"])
    _ = try await world.book.send(world.call())
    _ = try await world.book.renewNow(ada.account)
    _ = try await world.book.logOut(ada.account)
    #expect(await delegate.heard == ["response", "saved", "loaded"])
  }

  @Test func `without saved credentials the delegate hears only of the login`() async throws {
    _ = try await world.logIn(.cookie)
    #expect(await delegate.heard == ["response"])
  }

  @Test(arguments: [PortalMode.email, .cookie, .oauth2Password])
  func `the delegate hears of a failure once, and of nothing else`(mode: PortalMode) async throws {
    var stranger = FakePortalUser.ada
    stranger.password = "wrong"
    let method = try world.method(mode, stranger)
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await world.book.logIn(method, options: saving)
    }
    #expect(await delegate.heard == ["error credentials.refused"])
  }

  @Test func `the delegate hears once of a password that no longer renews the session`()
    async throws
  {
    _ = try await world.logIn(.cookie)
    world.portal.users[0].password = "another one"
    world.world.clock.advance(by: .seconds(900))
    let call = try world.call()
    for code in [FailureCode.credentialsRefused, .sessionRefused] {
      await expect(code) { () throws(GatebookError) in _ = try await world.book.send(call) }
    }
    #expect(await delegate.heard == ["response", "error credentials.refused"])
  }

  @Test func `the delegate hears once of a renewal that is answered for another user`() async throws
  {
    _ = try await world.logIn(.cookie)
    world.world.clock.advance(by: .seconds(900))
    world.portal.inject(.misreport(777), on: .invoke)
    let call = try world.call()
    for code in [FailureCode.identityMismatch, .sessionRefused] {
      await expect(code) { () throws(GatebookError) in _ = try await world.book.send(call) }
    }
    #expect(await delegate.heard == ["response", "error identity.mismatch"])
  }

  @Test func `only the caller gets the error for what cannot be restored`() async throws {
    let ada = try await world.logIn(.cookie)
    _ = try await world.book.logOut(ada.account)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.restore(ada.account)
    }
    #expect(await delegate.heard == ["response"])
  }

  @Test(arguments: [PortalMode.email, .cookie, .oauth2Password])
  func `the delegate hears once of a login that the caller cancels`(mode: PortalMode) async throws {
    world.portal.inject(.stallBeforeActing, times: nil)
    let method = try world.method(mode)
    let login = Task { try await world.book.logIn(method) }
    _ = await world.portal.requests(atLeast: 1)
    login.cancel()
    await #expect(throws: GatebookError.self) { try await login.value }
    #expect(await delegate.heard == ["error cancelled"])
    #expect(try world.kinds() == ["book.created", "login.started", "login.cancelled"])
  }

  @Test func `the delegate hears once of a login that is cancelled while its page is shown`()
    async throws
  {
    let listener = try LoopbackListener()
    world.portal.applications[0].redirectURIs = [listener.uri]
    let shown = AsyncStream.makeStream(of: Void.self)
    let browser = PageOpener(listener) { _ in shown.continuation.yield() }
    let method = try world.method(.oauth2Redirect, callback: listener.uri)
    let login = Task { try await world.book.logIn(method, browser: browser) }
    for await _ in shown.stream { break }
    let pending = try #require(try await world.book.pendingLogins().first)
    #expect(try await world.book.cancelLogIn(pending.id))
    await #expect(throws: GatebookError.self) { try await login.value }
    #expect(await delegate.heard == ["error cancelled"])
    #expect(try world.kinds().suffix(2) == ["challenge.cancelled", "login.cancelled"])
  }

  @Test func `a redirect of another login ends that one, whatever its end, and no other`()
    async throws
  {
    let listener = try LoopbackListener()
    world.portal.applications[0].redirectURIs = [listener.uri]
    let method = try world.method(.oauth2Redirect, callback: listener.uri)
    let other = try await world.book.beginLogIn(method)
    let browser = PageOpener(listener) { page in
      Task {
        let ben = PortalVisitor(.ben)
        _ = try await ben.visit(other.page.description, .deny, opensRedirect: true)
        _ = try await PortalVisitor(.ada).visit(page.description, opensRedirect: true)
      }
    }
    let ada = try await world.book.logIn(method, browser: browser)
    #expect(ada.user["screenName"] == "ada")
    #expect(await delegate.heard == ["error challenge.cancelled", "response"])
  }

  @Test func `the delegate hears once of a login whose redirect never came`() async throws {
    _ = try await world.book.beginLogIn(world.method(.oauth2Redirect))
    world.world.clock.advance(by: .seconds(601))
    _ = try await world.book.beginLogIn(world.method(.oauth2Redirect))
    #expect(await delegate.heard == ["error challenge.timedOut"])
  }
}
