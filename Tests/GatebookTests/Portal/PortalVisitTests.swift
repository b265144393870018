import Gatebook
import GatebookFakes
import Testing

/// Logins whose person visits a page of the portal.
@Suite struct PortalVisitTests {
  private let world: PortalWorld
  private let delegate = HeardLogins()

  init() async throws {
    world = try await PortalWorld()
    await world.book.setLoginDelegate(delegate)
  }

  @Test(arguments: PortalMode.pages)
  func `a redirect to a loopback port ends the login`(mode: PortalMode) async throws {
    let listener = try LoopbackListener()
    world.portal.applications[0].redirectURIs = [listener.uri]
    let browser = PageOpener(listener) { page in
      // As a browser does: it is handed the page and goes its own way.
      Task { try await PortalVisitor(.ada).visit(page.description, opensRedirect: true) }
    }
    let ada = try await world.book.logIn(
      world.method(mode, callback: listener.uri), browser: browser)
    #expect(ada.method == mode.method)
    #expect(ada.loginName.value == (mode == .oauth1 ? "" : FakePortalUser.ada.emailAddress))
    #expect(try world.kinds() == ["book.created"] + mode.loginKinds)
    #expect(await delegate.heard == ["response"])
  }

  @Test(arguments: PortalMode.pages)
  func `the person's refusal fails the login`(mode: PortalMode) async throws {
    let pending = try await world.book.beginLogIn(world.method(mode))
    let redirect = try await world.redirect(of: pending, .ada, .deny)
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await world.book.finishLogIn(redirect: redirect)
    }
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "login.failed",
      ])
    #expect(await delegate.heard == ["error challenge.cancelled"])
    #expect(try await world.book.accounts().isEmpty)
    #expect(try await world.book.pendingLogins().isEmpty)
    #expect(world.portal.requests(to: .token).isEmpty)
    #expect(world.portal.requests(to: .accessToken).isEmpty)
  }

  @Test(arguments: PortalMode.pages)
  func `a redirect with another state ends nothing, the right one does`(
    mode: PortalMode
  ) async throws {
    let pending = try await world.book.beginLogIn(world.method(mode))
    let redirect = try await world.redirect(of: pending)
    let key = mode == .oauth1 ? "oauth_token=" : "state="
    let wrong = redirect.replacing(key, with: "\(key)x")
    let sent = world.portal.requests.count
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await world.book.finishLogIn(redirect: wrong)
    }
    #expect(world.portal.requests.count == sent)
    #expect(try world.kinds().last == "challenge.failed")
    #expect(try await world.book.pendingLogins() == [pending])
    // No login has failed: the one that waits continues.
    #expect(await delegate.heard.isEmpty)
    #expect(try await world.book.finishLogIn(redirect: redirect).state == .active)
    #expect(await delegate.heard == ["response"])
  }

  @Test func `an unregistered redirect URI brings no redirect, and the login is given up`()
    async throws
  {
    let method = try world.method(.oauth2Redirect, callback: "screens://somewhere.else")
    let pending = try await world.book.beginLogIn(method)
    let ending = try await PortalVisitor(.ada).visit(pending.page.description)
    #expect(ending == .page(status: 400))
    #expect(try await world.book.cancelLogIn(pending.id))
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.cancelled",
        "login.cancelled",
      ])
    #expect(await delegate.heard == ["error cancelled"])
  }

  @Test func `a code that the portal shows is typed`() async throws {
    let pending = try await world.book.beginLogIn(
      world.method(.oauth1, callback: AwaitedRedirect.outOfBand))
    let ending = try await PortalVisitor(.ada).visit(pending.page.description)
    guard case .verifier(let code) = ending else {
      Issue.record("The visit ended with \(ending).")
      return
    }
    let ada = try await world.book.finishLogIn(pending.id, code: Secret(code))
    #expect(ada.state == .active)
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(try world.kinds() == ["book.created"] + PortalMode.oauth1.loginKinds)
  }

  @Test func `a typed code that is wrong fails the login`() async throws {
    let pending = try await world.book.beginLogIn(
      world.method(.oauth1, callback: AwaitedRedirect.outOfBand))
    _ = try await PortalVisitor(.ada).visit(pending.page.description)
    await #expect(throws: GatebookError.self) {
      try await world.book.finishLogIn(pending.id, code: Secret("wrong"))
    }
    #expect(try world.kinds().last == "login.failed")
    #expect(await delegate.heard.count == 1)
  }

  @Test func `defect 14: a callback that is not confirmed is no login`() async throws {
    world.portal.switches.callbackConfirmation = nil
    let method = try world.method(.oauth1)
    await #expect(throws: GatebookError.self) { try await world.book.beginLogIn(method) }
    #expect(try world.kinds() == ["book.created", "login.started", "login.failed"])
    #expect(await delegate.heard.count == 1)
  }

  @Test(arguments: [FakeLiferayPortal.Route.requestToken, .accessToken])
  func `defect 14: an HTTP error in the handshake is named for what it is`(
    route: FakeLiferayPortal.Route
  ) async throws {
    world.portal.inject(.status(503), on: route)
    let error = await #expect(throws: GatebookError.self) { try await world.logIn(.oauth1) }
    #expect(error?.code == .serverUnavailable)
    #expect(await delegate.heard == ["error server.unavailable"])
  }

  @Test func `defect 14: every call is signed with a nonce of its own`() async throws {
    _ = try await world.logIn(.oauth1)
    for _ in 0..<3 { #expect(try await world.book.send(world.call()).status == 200) }
    let signed = world.portal.requests.compactMap { $0.request.fields["Authorization"] }
    let nonces = signed.compactMap {
      $0.split(separator: "oauth_nonce=\"").last?.prefix { $0 != "\"" }
    }
    #expect(nonces.count == 6)
    #expect(Set(nonces).count == 6)
  }
}
