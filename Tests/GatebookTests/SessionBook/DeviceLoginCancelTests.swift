import Gatebook
import GatebookTestSupport
import Testing

/// Logins by a code that somebody gives up while the server is asked.
@Suite struct DeviceLoginCancelTests {
  @Test func `who cancels it is not undone by a server that wants to be asked less often`()
    async throws
  {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    defer { opened.value = nil }
    let transport = DeviceServer.transport(pending: .max, refusal: "slow_down") { count in
      if count == 2 { await DeviceServer.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try DeviceServer.method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    #expect(try await book.pendingLogins().isEmpty)
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 2)
  }

  @Test func `who cancels it ends the wait of all, and a grant that comes then is given back`()
    async throws
  {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    defer { opened.value = nil }
    // Cancelled while the answer to the last question is on its way.
    let transport = DeviceServer.transport(pending: 3) { count in
      if count == 4 { await DeviceServer.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try DeviceServer.method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    #expect(try await book.accounts().isEmpty)
    #expect(
      try world.kinds().suffix(5) == [
        "login.started", "challenge.received", "challenge.cancelled", "login.cancelled",
        "revocation.succeeded",
      ])
    let revoked = transport.requests.filter { $0.url.path == "/revoke" }
    #expect(revoked.count == 2)
  }

  @Test func `once cancelled, no request is sent`() async throws {
    let world = try TestBook()
    let opened = TestBox<SessionBook?>(nil)
    defer { opened.value = nil }
    let transport = DeviceServer.transport(pending: .max) { count in
      if count == 2 { await DeviceServer.cancelAll(opened.value) }
    }
    let book = try await world.open(transport)
    opened.value = book
    let method = try DeviceServer.method()
    await expect(.cancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 2)
  }
}
