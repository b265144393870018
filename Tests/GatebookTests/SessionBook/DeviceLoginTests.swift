import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Logins whose code the person enters on another device.
@Suite struct DeviceLoginTests {
  @Test func `it waits for the person as long as the code lives`() async throws {
    let world = try TestBook()
    let transport = DeviceServer.transport(pending: 100)
    let book = try await world.open(transport)
    let start = world.clock.now()
    let screen = DeviceScreen()
    let ada = try await book.logIn(DeviceServer.method(), browser: screen)
    #expect(ada.state == .active)
    #expect(screen.codes.value.map(\.userCode) == ["ABCD"])
    #expect(screen.pages.value.isEmpty)
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 101)
    #expect(world.clock.now().boot - start.boot == .seconds(505))
    #expect(
      try world.kinds().suffix(6).dropLast(2) == [
        "login.started", "challenge.received", "challenge.answered", "account.added",
      ])
    let success = try BookReader.open(at: world.path).events(EventFilter())
      .first { $0.kind == "login.succeeded" }
    #expect(success?.data["scope"] == "read write")
    let later = try await world.open(transport)
    let reply = try await later.send(
      .get(try #require(HTTPURL("https://api.example/me"))), as: ada.account)
    #expect(reply.status == 200)
  }

  @Test func `a server that wants a new nonce for each question ends no login`() async throws {
    let world = try TestBook()
    let server = DeviceServer.transport(pending: 100)
    let questions = TestBox(0)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/token" else {
          return try await server.send(request, through: route)
        }
        // RFC 9449 section 8: each first question lacks the nonce that the server wants now.
        let count = questions.withLock {
          $0 += 1
          return $0
        }
        guard count.isMultiple(of: 2) else {
          var reply = DeviceServer.json(400, "{\"error\":\"use_dpop_nonce\"}")
          reply.fields.append(HTTPField("DPoP-Nonce", "nonce-\(count)"))
          return reply
        }
        return try await server.send(request, through: route)
      })
    let method = try DeviceServer.method(bindsTokens: true)
    #expect(try await book.logIn(method, browser: DeviceScreen()).state == .active)
    #expect(questions.value == 202)
  }

  @Test func `a code that nobody enters ends the login, and nothing else`() async throws {
    let world = try TestBook()
    let book = try await world.open(DeviceServer.transport(pending: .max))
    let method = try DeviceServer.method()
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    #expect(try await book.accounts().isEmpty)
    #expect(try world.kinds().last == "login.failed")
  }

  @Test func `the application's secret with each question does not answer for the person`()
    async throws
  {
    let world = try TestBook()
    let book = try await world.open(DeviceServer.transport(pending: .max))
    let method = try DeviceServer.method(.basic(Secret("app-secret")))
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    #expect(
      try world.kinds().suffix(4) == [
        "login.started", "challenge.received", "challenge.failed", "login.failed",
      ])
  }

  @Test func `a browser without codes opens the page that has the code in it`() async throws {
    let world = try TestBook()
    let book = try await world.open(DeviceServer.transport(pending: 0))
    let window = DeviceWindow()
    _ = try await book.logIn(DeviceServer.method(), browser: window)
    #expect(window.pages.value == ["\(DeviceServer.site)/enter?c=ABCD"])
  }

  @Test func `without a browser nobody could enter the code`() async throws {
    let world = try TestBook()
    let book = try await world.open(DeviceServer.transport(pending: 0))
    let method = try DeviceServer.method()
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await book.logIn(method)
    }
  }

  @Test func `the portal of a strange network does not end the wait`() async throws {
    let world = try TestBook()
    let polls = TestBox(0)
    let inner = DeviceServer.transport(pending: 0)
    let transport = ScriptedTransport { request, route throws(TransportFailure) in
      let isPoll = request.url.path == "/token"
      let count = polls.withLock { polls in
        if isPoll { polls += 1 }
        return polls
      }
      guard !isPoll || count > 3 else {
        return HTTPReply(status: 200, body: Array("<!DOCTYPE html><p>Agree?</p>".utf8))
      }
      return try await inner.send(request, through: route)
    }
    let ada = try await world.open(transport).logIn(DeviceServer.method(), browser: DeviceScreen())
    #expect(ada.state == .active)
    #expect(polls.value == 4)
  }

  private static let strays: [HTTPReply] = [
    HTTPReply(status: 403, body: Array("<!DOCTYPE html><p>Blocked</p>".utf8)),
    HTTPReply(status: 400, body: Array("<!DOCTYPE html><p>Bad request</p>".utf8)),
    HTTPReply(status: 401, body: Array("<!DOCTYPE html>".utf8)),
    HTTPReply(status: 403), HTTPReply(status: 400), HTTPReply(status: 404),
    HTTPReply(status: 404, body: Array("<!DOCTYPE html><p>Not found</p>".utf8)),
    HTTPReply(status: 403, body: Array("{\"message\":\"Forbidden\"}".utf8)),
    HTTPReply(status: 302, fields: [HTTPField("Location", "/maintenance")]),
  ]

  /// RFC 8628 section 3.5.
  @Test(arguments: strays)
  func `what answers between two answers of the server costs no approval`(
    _ stray: HTTPReply
  ) async throws {
    let world = try TestBook()
    let polls = TestBox(0)
    let inner = DeviceServer.transport(pending: 3)
    let transport = ScriptedTransport { request, route throws(TransportFailure) in
      let count = polls.withLock { polls in
        if request.url.path == "/token" { polls += 1 }
        return polls
      }
      // Every second question is answered by something in between.
      guard request.url.path != "/token" || !count.isMultiple(of: 2) else { return stray }
      return try await inner.send(request, through: route)
    }
    let ada = try await world.open(transport).logIn(DeviceServer.method(), browser: DeviceScreen())
    #expect(ada.state == .active)
    #expect(polls.value == 7)
    #expect(try !world.kinds().contains("login.failed"))
  }

  @Test(arguments: [200, 400])
  func `a person who declines on another device ends the login`(_ status: Int) async throws {
    let world = try TestBook()
    let inner = DeviceServer.transport(pending: 0)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path != "/token" else {
          return DeviceServer.json(status, "{\"error\":\"authorization_declined\"}")
        }
        return try await inner.send(request, through: route)
      })
    let method = try DeviceServer.method()
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: DeviceScreen())
    }
    let failure = try #require(try BookReader.open(at: world.path).events(EventFilter()).last)
    #expect(failure.data["error"] == "authorization_declined")
    let why = try #require(try BookReader.open(at: world.path).why(failure.position))
    #expect(
      Told(why).answer.contains("the user, or the server, declined the login on its page"),
      "\(Told(why))")
  }

  @Test func `nothing of a waiting code is readable in the book`() async throws {
    let world = try TestBook()
    let (image, _) = try await DeviceServer.abandoned(in: world, DeviceServer.transport(pending: 0))
    for file in [image.path, "\(image.path)-wal"] {
      let bytes = TestFile.read(file).bytes
      for secret in ["dev-secret", "ABCD"] {
        #expect(!bytes.contains(Array(secret.utf8)), "\(secret) in \(file)")
      }
    }
  }
}
