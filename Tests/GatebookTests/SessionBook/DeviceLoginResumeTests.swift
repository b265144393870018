import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Device logins that another or a later process continues.
@Suite struct DeviceLoginResumeTests {
  @Test func `it continues after a restart, with the same code`() async throws {
    let world = try TestBook()
    let (image, shown) = try await DeviceServer.abandoned(
      in: world, DeviceServer.transport(pending: 0))
    let transport = DeviceServer.transport(pending: 2)
    let book = try await image.open(transport)
    let login = try #require(try await book.pendingLogins().first)
    #expect(login.code?.userCode == "ABCD")
    #expect(login.code?.page == shown.first?.page)
    #expect(login.page == shown.first?.page)
    #expect(login.server.description == DeviceServer.site)
    #expect(login.redirectURI.isEmpty, "no redirect is awaited")
    let screen = DeviceScreen()
    let ada = try await book.resumeLogIn(login.id, browser: screen)
    #expect(ada.state == .active)
    #expect(screen.codes.value.map(\.userCode) == ["ABCD"])
    #expect(
      !transport.requests.contains { $0.url.path == "/device" }, "the code was asked for again")
    #expect(
      try image.kinds().suffix(6).dropLast(2) == [
        "login.started", "challenge.received", "challenge.answered", "account.added",
      ])
    #expect(try await book.pendingLogins().isEmpty)
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id)
    }
  }

  @Test func `a server that wants to be asked less often is, also after a restart`() async throws {
    let world = try TestBook()
    let image = TestBox<TestBook?>(nil)
    // It dies while the answer to the third question is on its way.
    let slow = DeviceServer.transport(pending: 3, refusal: "slow_down") { count in
      guard count == 3 else { return }
      let copy = try? world.crashImage()
      copy?.clock.set(world.clock.now())
      image.value = copy
    }
    let start = world.clock.now()
    _ = try await world.open(slow).logIn(DeviceServer.method(), browser: DeviceScreen())
    let left = try #require(image.value)
    #expect(left.clock.now().boot - start.boot == .seconds(5 + 10 + 15))
    let told = try BookReader.open(at: left.path).events(EventFilter())
      .filter { $0.kind == "challenge.received" }
    #expect(told.map { $0.data["interval"] } == [nil, 10_000_000, 15_000_000])
    #expect(told.allSatisfy { $0.data["round"] == 1 && $0.data["scheme"] == "device" })
    let book = try await left.open(DeviceServer.transport(pending: 0))
    let before = left.clock.now()
    let login = try #require(try await book.pendingLogins().first)
    let ada = try await book.resumeLogIn(login.id)
    #expect(ada.state == .active)
    #expect(left.clock.now().boot - before.boot == .seconds(15))
  }

  @Test func `the code's lifetime runs while nobody waits`() async throws {
    let world = try TestBook()
    let (image, _) = try await DeviceServer.abandoned(in: world, DeviceServer.transport(pending: 0))
    let book = try await image.open(DeviceServer.transport(pending: 0))
    let login = try #require(try await book.pendingLogins().first)
    image.clock.advance(by: .seconds(1000))
    let rest = try #require(login.code).lifetime - .seconds(1000)
    #expect(try await book.pendingLogins().map(\.code?.lifetime) == [rest])
    image.clock.advance(by: rest)
    #expect(try await book.pendingLogins().isEmpty)
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id)
    }
    #expect(
      try image.kinds().suffix(3) == ["challenge.received", "challenge.failed", "login.failed"])
  }

  @Test func `the next login ends those whose code has lived`() async throws {
    let world = try TestBook()
    let (image, _) = try await DeviceServer.abandoned(in: world, DeviceServer.transport(pending: 0))
    let book = try await image.open(DeviceServer.transport(pending: 0))
    image.clock.advance(by: .seconds(1800))
    _ = try await book.logIn(DeviceServer.method(), browser: DeviceScreen())
    let kinds = try image.kinds()
    #expect(kinds.filter { $0 == "login.failed" }.count == 1)
    #expect(kinds.filter { $0 == "challenge.failed" }.count == 1)
    #expect(kinds.filter { $0 == "login.succeeded" }.count == 1)
  }

  @Test func `of two that wait one gets the grant, and both the session`() async throws {
    let world = try TestBook()
    let (image, _) = try await DeviceServer.abandoned(in: world, DeviceServer.transport(pending: 0))
    // The code is good for one grant.
    let grants = TestBox(0)
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      guard request.url.path == "/token" else {
        let isOpen = request.fields.contains { $0.value == "Bearer acc-secret" }
        return HTTPReply(status: isOpen ? 200 : 401)
      }
      let count = grants.withLock {
        $0 += 1
        return $0
      }
      return count == 1
        ? DeviceServer.granted : DeviceServer.json(400, "{\"error\":\"invalid_grant\"}")
    }
    let first = try await image.open(transport)
    let second = try await image.open(transport)
    let login = try #require(try await first.pendingLogins().first)
    async let one = first.resumeLogIn(login.id)
    async let two = second.resumeLogIn(login.id)
    let sessions = try await [one.session, two.session]
    #expect(sessions == [login.id, login.id])
    #expect(try image.kinds().filter { $0 == "login.succeeded" }.count == 1)
    #expect(!(try image.kinds().contains("login.failed")))
  }

  @Test func `one account's code is not for another account`() async throws {
    let world = try TestBook()
    let (image, _) = try await DeviceServer.abandoned(in: world, DeviceServer.transport(pending: 0))
    let book = try await image.open(DeviceServer.transport(pending: 0))
    let login = try #require(try await book.pendingLogins().first)
    let ada = try await book.resumeLogIn(login.id)
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id, account: ada.account)
    }
    let nobody = AccountID(high: 9, low: 9)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.resumeLogIn(login.id, account: nobody)
    }
  }
}
