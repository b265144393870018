import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct PortalRenewalTests {
  @Test func `a renewal answered for another user is refused`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    world.world.clock.advance(by: .seconds(900))
    world.portal.inject(.misreport(777), on: .invoke)
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.send(.get(world.url("/documents/1")))
    }
    #expect(error?.code == .identityMismatch)
    #expect(error?.kept.hasPrefix("The session has ended") == true, "\(error?.kept ?? "")")
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.identityMismatch))
    #expect(context.user["userId"] == "123456")
    #expect(world.portal.requests(to: .documents).isEmpty)
  }

  @Test func `a password that changed ends the session and keeps everything else`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await world.book.logIn(world.cookie(), options: options)
    world.portal.change(123_456) { $0.password = "another one" }
    world.world.clock.advance(by: .seconds(900))
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.send(.get(world.url("/documents/1")))
    }
    #expect(error?.code == .credentialsRefused)
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.refused))
    #expect(context.user["firstName"] == "Ada")
    #expect(world.logins() == 2)
    #expect(try !world.world.kinds().contains("credentials.removed"))
  }

  @Test(arguments: [2, 8])
  func `renewals asked for together send one login`(_ callers: Int) async throws {
    let world = try await PortalWorld()
    _ = try await world.book.logIn(world.cookie())
    world.world.clock.advance(by: .seconds(900))
    let document = HTTPRequest.get(try world.url("/documents/1"))
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<callers { group.addTask { try await world.book.send(document).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: callers))
    #expect(world.logins() == 2)
  }

  @Test func `two books of one file renew once and share the session`() async throws {
    let world = try await PortalWorld()
    let other = try await world.world.open(world.transport)
    let ada = try await world.book.logIn(world.cookie())
    world.world.clock.advance(by: .seconds(900))
    let document = HTTPRequest.get(try world.url("/documents/1"))
    async let first = world.book.send(document, as: ada.account)
    async let second = other.send(document, as: ada.account)
    #expect(try await [first.status, second.status] == [200, 200])
    #expect(world.logins() == 2)
  }

  @Test func `without a saved password an ended session needs a login`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie(refreshes: false))
    world.portal.endSessions()
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.send(.get(world.url("/documents/1")))
    }
    #expect(error?.code == .sessionRefused)
    #expect(try await world.book.context(of: ada.account).state == .needsLogin(.refused))
  }

  @Test(arguments: [403, 503])
  func `a saved password is not sent again at each use`(_ status: Int) async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    world.portal.inject(.page(status), on: .login, times: nil)
    world.world.clock.advance(by: .seconds(900))
    let before = world.logins()
    let document = HTTPRequest.get(try world.url("/documents/1"))
    for _ in 1...5 { _ = try? await world.book.send(document) }
    // A 403 may want a token in the form: that belongs to one login.
    #expect(world.logins() == before + (status == 403 ? 2 : 1))
    #expect(try await world.book.context(of: ada.account).state == .active)
    world.portal.clearFaults()
    // Who asks for it decides.
    #expect(try await world.book.renewNow(ada.account))
    #expect(try await world.book.send(document).status == 200)
  }

  @Test(arguments: [
    LoopbackFault.status(500), .status(503), .status(429), .page(), .truncate(after: 3),
    .dropBeforeActing, .dropAfterActing, .huge(), .cookieBomb(),
  ])
  func `no answer but a refusal ends a session`(fault: LoopbackFault) async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    world.portal.inject(fault, times: nil)
    _ = try? await world.book.send(.get(world.url("/documents/1")))
    world.world.clock.advance(by: .seconds(900))
    _ = try? await world.book.send(.get(world.url("/documents/1")))
    #expect(try await world.book.context(of: ada.account).state.isUsable)
    world.portal.clearFaults()
    // The password is not sent again at once.
    world.world.clock.advance(by: .seconds(1))
    #expect(try await world.book.send(.get(world.url("/documents/1"))).status == 200)
  }
}
