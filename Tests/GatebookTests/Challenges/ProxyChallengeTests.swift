import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// A proxy on the way that wants to know who comes.
@Suite struct ProxyChallengeTests {
  private static let proxy = Origin(scheme: "http", host: "127.0.0.1", port: 3128)

  private let server = FormServer()
  private let world: TestBook
  /// The only password that the proxy takes; `nil` lets everybody through.
  private let password = TestBox<String?>(nil)
  private let transport: ScriptedTransport

  init() throws {
    world = try TestBook()
    transport = Self.transport(server.transport, password, at: Self.proxy)
  }

  private static func transport(
    _ server: ScriptedTransport, _ password: TestBox<String?>, at proxy: Origin
  ) -> ScriptedTransport {
    ScriptedTransport { request, route throws(TransportFailure) in
      let expected = password.value.map {
        ProxyCredential(proxy: proxy, user: "gate", password: Secret($0))
      }
      guard expected == nil || route.proxyCredential == expected else {
        var failure = TransportFailure(
          GatebookError(.networkUnreachable, "407", remedy: "ask"), delivery: .notSent)
        failure.proxy = ProxyDemand(
          proxy: proxy,
          offers: [
            ProxyDemand.Offer(scheme: "negotiate"),
            ProxyDemand.Offer(scheme: "basic", realm: "The way out"),
          ])
        throw failure
      }
      return try await server.send(request, through: route)
    }
  }

  private func page() throws -> HTTPRequest { .get(try server.url("/page")) }

  /// Two calls, and one after a restart.
  @Test(arguments: [
    (ChallengeCredential.Persistence.none, [2, 4, 6]), (.forSession, [2, 2, 2]),
    (.permanent, [2, 2, 2]),
  ])
  func `a proxy's credential is kept as long as it was given for, and no server gets it`(
    persistence: ChallengeCredential.Persistence, expected: [Int]
  ) async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate(persistence)))
    let book = try await world.open(transport)
    let ada = try await book.logIn(server.login())
    await book.register(resolver, for: Self.proxy)
    password.value = "front door word"
    var asked: [Int] = []
    for _ in 1...2 {
      #expect(try await book.send(page()).status == 200)
      asked.append(resolver.asked.count)
    }
    await book.close()
    let again = try await world.open(transport)
    await again.register(resolver)
    #expect(try await again.send(page()).status == 200)
    asked.append(resolver.asked.count)
    #expect(asked == expected)
    #expect(resolver.asked.prefix(2) == ["negotiate - 0", "basic The way out 0"])
    let challenge = try #require(resolver.challenges.last)
    #expect(challenge.isProxy)
    #expect(challenge.server == Self.proxy)
    #expect(challenge.account == ada.account)
    let fields = server.transport.requests.flatMap(\.fields).map { $0.name.lowercased() }
    #expect(!fields.contains("authorization"))
    #expect(!fields.contains("proxy-authorization"))
    let told = try await again.events(after: .start).filter { $0.kind.hasPrefix("challenge.") }
    #expect(
      told.prefix(4).map(\.kind) == [
        "challenge.received", "challenge.failed", "challenge.received", "challenge.answered",
      ])
    #expect(told.allSatisfy { $0.data["proxy"] == true })
    #expect(!TestFile.read(world.path).holds("The way out"))
  }

  @Test func `what a proxy refuses is not sent again, and the next decision counts`()
    async throws
  {
    let resolver = ScriptedResolver(
      .rejectProtectionSpace, .useCredential(.wrong(.forSession)), .rejectProtectionSpace,
      .performDefaultHandling)
    let book = try await world.open(transport)
    let ada = try await book.logIn(server.login())
    await book.register(resolver)
    password.value = "front door word"
    let page = try page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(
      resolver.asked == [
        "negotiate - 0", "basic The way out 0", "negotiate - 1", "basic The way out 1",
      ])
    #expect(try await book.context(of: ada.account).state == .active)
    await book.removeResolver()
    let before = transport.calls.count
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.calls.dropFirst(before).allSatisfy { $0.route.proxyCredential == nil })
    let told = try await book.events(after: .start).filter { $0.kind == "challenge.failed" }
    #expect(told.map { $0.data["reason"] } == ["rejected", "refused", "rejected", "declined"])
  }

  @Test func `a proxy on another machine without TLS gets nothing that was not permitted`()
    async throws
  {
    let far = Origin(scheme: "http", host: "proxy.example.test", port: 3128)
    let transport = Self.transport(server.transport, password, at: far)
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(ScriptedResolver(last: .useCredential(.gate(.permanent))))
    password.value = "front door word"
    let page = try page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.calls.allSatisfy { $0.route.proxyCredential == nil })
  }

  @Test(arguments: [false, true], [false, true])
  func `what is permitted for a server is not permitted for a proxy without TLS`(
    isPermitted: Bool, isLogin: Bool
  ) async throws {
    let far = Origin(scheme: "http", host: "proxy.example.test", port: 3128)
    let transport = Self.transport(BasicServer().transport, password, at: far)
    let book = try await world.open(transport)
    let site = "http://intranet.example.test/private/"
    var options = LoginOptions()
    options.allowsCleartext = true
    options.origins = isPermitted ? [far] : []
    await book.register(ScriptedResolver(last: .useCredential(.gate(.permanent))))
    if isLogin { password.value = "front door word" }
    let ada = try? await book.logIn(.basic(site), options: options)
    #expect((ada != nil) == (isPermitted || !isLogin))
    if ada != nil {
      password.value = "front door word"
      let reply = try? await book.send(.get(#require(HTTPURL(site))))
      #expect(reply?.status == (isPermitted ? 200 : nil))
    }
    #expect(transport.calls.contains { $0.route.proxyCredential != nil } == isPermitted)
    let told = try await book.events(after: .start).filter {
      $0.data["reason"] == "unfit" && $0.data["proxy"] == true
    }
    #expect(told.count == (isPermitted ? 1 : 2))
  }

  @Test(arguments: [
    ("ga:te", "word"), ("gate\0", "word"), ("gate", "wo\r\nrd"), ("ga\tte", "word"),
    ("gate", "\u{7f}"),
  ])
  func `a name or password that Basic cannot carry goes nowhere`(
    user: String, word: String
  ) async throws {
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(
      ScriptedResolver(
        .rejectProtectionSpace,
        .useCredential(ChallengeCredential(user: user, password: Secret(word)))))
    password.value = word
    let page = try page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.calls.allSatisfy { $0.route.proxyCredential == nil })
    let told = try await book.events(after: .start).filter { $0.kind == "challenge.failed" }
    #expect(told.map { $0.data["reason"] } == ["rejected", "unfit"])
  }

  @Test func `what one request gave in vain takes nothing from another one`() async throws {
    let first = TestBox<CallbackResolver.Decide?>(nil)
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let asked = TestBox(0)
    let resolver = CallbackResolver { challenge, decide in
      guard case .credentials("basic", _) = challenge.question else {
        return decide(.rejectProtectionSpace)
      }
      asked.withLock { $0 += 1 }
      let isFirst = first.withLock { first in
        defer { first = first ?? decide }
        return first == nil
      }
      if isFirst { arrival.yield() } else { decide(.useCredential(.gate(.forSession))) }
    }
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(resolver)
    password.value = "front door word"
    let page = try page()
    let late = Task { try await book.send(page).status }
    for await _ in arrivals { break }
    #expect(try await book.send(page).status == 200)
    first.value?(.useCredential(.wrong(.forSession)))
    #expect(try await late.value == 200)
    #expect(asked.value == 2)
    await book.removeResolver()
    #expect(try await book.send(page).status == 200)
  }

  @Test func `what a proxy got for one request does not outlive its failure`() async throws {
    let isDown = TestBox(false)
    let behind = ScriptedTransport { [server] request, route throws(TransportFailure) in
      guard !isDown.value else {
        throw TransportFailure(
          GatebookError(.networkUnreachable, "down", remedy: "wait"), delivery: .maybeSent)
      }
      return try await server.transport.send(request, through: route)
    }
    let transport = Self.transport(behind, password, at: Self.proxy)
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(ScriptedResolver(.rejectProtectionSpace, .useCredential(.gate())))
    password.value = "front door word"
    isDown.value = true
    let page = try page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.calls.last?.route.proxyCredential != nil)
    isDown.value = false
    await book.removeResolver()
    let before = transport.calls.count
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.calls.count > before)
    #expect(transport.calls.dropFirst(before).allSatisfy { $0.route.proxyCredential == nil })
  }

  @Test func `a proxy's tokens are asked about too, after its name and password`() async throws {
    let isAsking = TestBox(false)
    let transport = ScriptedTransport { [server] request, route throws(TransportFailure) in
      guard isAsking.value else { return try await server.transport.send(request, through: route) }
      var failure = TransportFailure(
        GatebookError(.networkUnreachable, "407", remedy: "ask"), delivery: .notSent)
      failure.proxy = ProxyDemand(
        proxy: Self.proxy,
        offers: ["bearer", "digest", "basic"].map { ProxyDemand.Offer(scheme: $0, realm: "Out") })
      throw failure
    }
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    let resolver = ScriptedResolver(
      .useCredential(.gate()), .rejectProtectionSpace, .useCredential(.gate()))
    await book.register(resolver)
    isAsking.value = true
    let page = try page()
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(resolver.asked == ["digest Out 0", "basic Out 0", "token bearer Out 0"])
    #expect(resolver.challenges.allSatisfy { $0.isProxy && $0.server == Self.proxy })
    let told = try await book.events(after: .start).filter { $0.kind == "challenge.failed" }
    #expect(told.map { $0.data["reason"] } == ["unfit", "rejected", "unfit"])
    #expect(told.allSatisfy { $0.data["proxy"] == true })
  }

  @Test func `a 407 of the server itself is the caller's`() async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate()))
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(resolver)
    server.hold("/page")
    let page = try page()
    let call = Task { try await book.send(page) }
    await server.arrival()
    server.release(
      HTTPReply(status: 407, fields: [HTTPField("Proxy-Authenticate", "Basic realm=\"x\"")]))
    #expect(try await call.value.status == 407)
    #expect(resolver.asked.isEmpty)
  }
}
