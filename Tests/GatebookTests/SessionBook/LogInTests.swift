import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct LogInTests {
  @Test func `a login is one account, one session and its events in order`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    #expect(ada.state == .active)
    #expect(ada.isCurrent)
    #expect(ada.loginName == .known("ada"))
    #expect(ada.generation == 1)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "challenge.answered",
        "account.added", "login.succeeded", "account.switched",
      ])
    let causes = try await book.events(after: .start).map { $0.cause?.rawValue ?? 0 }
    #expect(causes == [0, 0, 2, 2, 2, 2, 6])
  }

  @Test func `the same user twice is the same account`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let first = try await book.logIn(.basic())
    let second = try await book.logIn(.basic())
    #expect(first.account == second.account)
    #expect(first.session != second.session)
    let sessions = try BookReader.open(at: world.path).sessions()
    #expect(sessions.map(\.state) == ["ended", "active"])
    #expect(sessions.first?.reason == .replaced)
  }

  @Test(arguments: [
    (BasicServer.Mood.down, FailureCode.networkUnreachable),
    (.status(503), .serverUnavailable),
    (.html, .loginUnprovable),
    (.redirect("http://elsewhere.example/"), .serverMoved),
  ])
  func `defect 1: a failed login changes nothing but the log`(
    mood: BasicServer.Mood, code: FailureCode
  ) async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let before = try await book.logIn(.basic())
    server.set(mood)
    let error = await #expect(throws: GatebookError.self) { try await book.logIn(.basic()) }
    #expect(error?.code == code)
    #expect(try await book.context(of: before.account).state == .active)
    #expect(try await book.context(of: before.account).session == before.session)
    #expect(try world.kinds().last == "login.failed")
    server.set(.healthy)
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    #expect(try await book.send(.get(page), as: before.account).status == 200)
  }

  @Test func `a wrong password is refused and leaves no account`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(.basic(password: "wrong"))
    }
    #expect(error?.code == .credentialsRefused)
    #expect(try await book.accounts().isEmpty)
    #expect(try await book.currentContext() == nil)
  }

  @Test func `a check URL that anyone may read proves nothing`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(.basic("http://127.0.0.1:8080/public"))
    }
    #expect(error?.code == .loginUnprovable)
  }

  @Test func `a password goes to another machine only over TLS or by permission`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let method = try LoginMethod.basic("http://portal.example/private/")
    let error = await #expect(throws: GatebookError.self) { try await book.logIn(method) }
    #expect(error?.code == .loginCleartext)
    #expect(server.transport.requests.isEmpty)
    var options = LoginOptions()
    options.allowsCleartext = true
    _ = try await book.logIn(method, options: options)
    #expect(try world.kinds().contains("trust.decided"))
  }

  @Test func `accounts of different users exist side by side, the last one current`() async throws {
    let world = try TestBook()
    let ada = BasicServer()
    let bob = BasicServer(user: "bob", password: "ross")
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        let server = request.url.origin.port == 8080 ? ada : bob
        return try await server.transport.send(request, through: route)
      })
    let first = try await book.logIn(.basic())
    let second = try await book.logIn(
      .basic("http://127.0.0.1:8081/private/", user: "bob", password: "ross"))
    #expect(try await book.currentContext()?.account == second.account)
    #expect(try await book.switchAccount(to: first.account).isCurrent)
    #expect(try await book.accounts().map(\.account) == [first.account, second.account])
  }

  @Test func `what the server has granted is kept, though the caller was cancelled meanwhile`()
    async throws
  {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        let reply = try await server.transport.send(request, through: route)
        if reply.status == 200 { withUnsafeCurrentTask { $0?.cancel() } }
        return reply
      })
    let method = try LoginMethod.basic()
    let login = await Task { await Result { try await book.logIn(method) } }.value
    #expect(try login.get().state == .active)
    #expect(try world.kinds().suffix(2) == ["login.succeeded", "account.switched"])
    #expect(try await book.accounts().map(\.state) == [.active])
  }

  @Test func `recording what the server has granted waits for the book, cancelled or not`()
    async throws
  {
    let world = try TestBook()
    let server = BasicServer()
    let hold = WriterHold(world)
    let isHeld = TestBox(false)
    let other = TestBox<(@Sendable () async -> Void)?>(nil)
    defer { other.value = nil }
    let book = try await SessionBook.open(
      at: world.path, key: KeyFile(path: world.keyPath),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: ScriptedTransport { request, route throws(TransportFailure) in
        let reply = try await server.transport.send(request, through: route)
        if reply.status == 200 {
          guard let work = other.value else { return reply }
          isHeld.value = hold.take()
          // Other events are being written to the file, and this login's come after them.
          for _ in 0..<8 { Task { await work() } }
          for _ in 0..<2000 { await Task.yield() }
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return reply
      }, clock: world.clock, wait: .milliseconds(50))
    let method = try LoginMethod.basic()
    let ada = try await book.logIn(method)
    other.value = { _ = try? await book.rename(ada.account, to: "ada") }
    let login = await Task { await Result { try await book.logIn(method) } }.value
    #expect(isHeld.value)
    hold.release()
    // Not `cancelled`: that would have thrown away what the server holds for granted.
    #expect(login.code == .storageBusy)
  }

  @Test func `a cancelled login is recorded as cancelled`() async throws {
    let world = try TestBook()
    let book = try await world.open(
      ScriptedTransport { _, _ throws(TransportFailure) in
        withUnsafeCurrentTask { $0?.cancel() }
        return HTTPReply(
          status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
      })
    let method = try LoginMethod.basic()
    let error = await Task {
      await #expect(throws: GatebookError.self) { try await book.logIn(method) }
    }.value
    #expect(error?.code == .cancelled)
    #expect(try world.kinds().last == "login.cancelled")
  }
}
