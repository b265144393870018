import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct RedirectTests {
  private let world: TestBook
  private let server = RedirectServer()

  init() throws {
    world = try TestBook()
  }

  private func answer(_ pending: PendingLogin, code: String) throws -> String {
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    return "\(pending.redirectURI)?code=\(code)&state=\(try #require(query["state"]))"
  }

  @Test func `a redirect finishes its login, and its events are in order`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    #expect(try await book.pendingLogins() == [pending])
    let context = try await book.finishLogIn(redirect: answer(pending, code: "code-ada"))
    #expect(context.state == .active)
    #expect(context.method == "liferay-oauth2-redirect")
    #expect(context.user["emailAddress"] == "user1@example.test")
    #expect(try await book.pendingLogins().isEmpty)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "account.added", "login.succeeded", "attributes.changed", "account.switched",
      ])
  }

  @Test func `a redirect that arrives after a restart finds its login`() async throws {
    let first = try await world.open(server.transport)
    let pending = try await first.beginLogIn(.redirect())
    await first.close()
    let second = try await world.open(server.transport)
    let context = try await second.finishLogIn(redirect: answer(pending, code: "code-ada"))
    #expect(context.state == .active)
  }

  @Test func `logins at once keep their own states and become their own accounts`() async throws {
    let book = try await world.open(server.transport)
    let first = try await book.beginLogIn(.redirect())
    let second = try await book.beginLogIn(.redirect())
    let bob = try await book.finishLogIn(redirect: answer(second, code: "code-bob"))
    let ada = try await book.finishLogIn(redirect: answer(first, code: "code-ada"))
    #expect(ada.account != bob.account)
    #expect(try await book.accounts().count == 2)
  }

  @Test(arguments: [
    "com.example.app:/callback?code=code-x&state=wrong", "com.example.app:/callback?code=code-x",
    "com.example.app:/other?code=code-x&state=STATE",
    "com.example.app:/callback?error=access_denied",
  ])
  func `a foreign redirect is recorded, and the login keeps waiting`(
    _ text: String
  ) async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let state = try answer(pending, code: "x").split(separator: "state=").last ?? ""
    let redirect = text.replacing("STATE", with: state)
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(try world.kinds().last == "challenge.failed")
    #expect(server.transport.requests.isEmpty)
    let context = try await book.finishLogIn(redirect: answer(pending, code: "code-ada"))
    #expect(context.state == .active)
  }

  @Test func `a parameter that comes twice is refused, and the login keeps waiting`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let redirect = try answer(pending, code: "code-ada") + "&code=code-bob"
    await expect(.contentUnexpected) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(try await book.pendingLogins() == [pending])
  }

  @Test func `a redirect is redeemed once`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let redirect = try answer(pending, code: "code-ada")
    _ = try await book.finishLogIn(redirect: redirect)
    let sent = server.transport.requests.count
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(server.transport.requests.count == sent)
  }

  @Test func `a redirect that comes too late ends its login`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let redirect = try answer(pending, code: "code-ada")
    world.clock.advance(by: .seconds(601))
    #expect(try await book.pendingLogins().isEmpty)
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(try world.kinds().suffix(2) == ["challenge.failed", "login.failed"])
    #expect(server.transport.requests.isEmpty)
  }

  @Test func `a redirect that never comes ends with the next login`() async throws {
    let book = try await world.open(server.transport)
    _ = try await book.beginLogIn(.redirect())
    world.clock.advance(by: .seconds(601))
    let next = try await book.beginLogIn(.redirect())
    #expect(try await book.pendingLogins() == [next])
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.failed", "login.failed",
        "login.started", "challenge.received",
      ])
  }

  @Test func `the person's refusal fails the login and tells the delegate once`() async throws {
    let book = try await world.open(server.transport)
    let delegate = HeardLogins()
    await book.setLoginDelegate(delegate)
    let pending = try await book.beginLogIn(.redirect())
    let redirect = try answer(pending, code: "x").replacing("code=x", with: "error=access_denied")
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(await delegate.heard == ["error challenge.cancelled"])
    #expect(try await book.pendingLogins().isEmpty)
  }

  @Test func `a cancelled login waits no more`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    #expect(try await book.cancelLogIn(pending.id))
    #expect(try await !book.cancelLogIn(pending.id))
    #expect(try world.kinds().suffix(2) == ["challenge.cancelled", "login.cancelled"])
    let redirect = try answer(pending, code: "code-ada")
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: redirect)
    }
    #expect(server.transport.requests.isEmpty)
  }

  @Test func `a method without a page cannot be begun, one with a page needs a browser`()
    async throws
  {
    let book = try await world.open(server.transport)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.beginLogIn(try plain())
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.logIn(try redirecting())
    }
    #expect(try world.kinds() == ["book.created"])
  }

  private func plain() throws(GatebookError) -> LoginMethod {
    do { return try .basic() } catch { throw Self.broken }
  }

  private func redirecting() throws(GatebookError) -> LoginMethod {
    do { return try .redirect() } catch { throw Self.broken }
  }

  private static let broken = GatebookError(.cancelled, "No method.", remedy: "Mend the test.")

  @Test func `no secret of a waiting login is in the file in the clear`() async throws {
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    await book.close()
    let file = TestFile.read(world.path)
    for name in ["state", "code_challenge"] {
      #expect(!file.holds(try #require(query[name])))
    }
    #expect(file.holds("login.started"))
  }
}
