import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// A server that describes itself, is asked again whether it is where it was, and does not answer
/// that.
@Suite struct RediscoveryTests {
  private static let place = "/.well-known/openid-configuration"

  /// What goes wrong on the way to the server.
  private struct Trouble {
    /// Whether it says nothing about itself.
    var isSilent = false
    /// Whether its token endpoint answers 503.
    var isDown = false
    /// What it says in the place of a description of itself.
    var answer: HTTPReply?
  }

  private let party: RelyingParty
  private let ada: AccountID
  private let trouble = TestBox(Trouble())
  private let transport: ScriptedTransport
  private let book: SessionBook

  init() async throws {
    party = try await RelyingParty()
    ada = try await party.logIn().get().account
    transport = Self.transport(party, trouble)
    book = try await party.world.open(transport)
  }

  private static func transport(
    _ party: RelyingParty, _ trouble: TestBox<Trouble>, _ gate: Gate = Gate(isOpen: true)
  ) -> ScriptedTransport {
    ScriptedTransport { [line = party.line] request, route throws(TransportFailure) in
      if request.url.path == place {
        await gate.pass()
        if let answer = trouble.value.answer { return answer }
        if trouble.value.isSilent {
          throw TransportFailure(
            GatebookError(.networkUnreachable, "It takes too long.", remedy: "Wait."),
            delivery: .maybeSent)
        }
      }
      if request.url.path == "/token", trouble.value.isDown { return HTTPReply(status: 503) }
      return try await line.send(request, through: route)
    }
  }

  private var asked: [HTTPRequest] { transport.requests.filter { $0.url.path == Self.place } }

  private func advance(_ seconds: Int) { party.world.clock.advance(by: .seconds(seconds)) }

  @Test func `who dies while the server is asked where it is has used nothing up`() async throws {
    var image = party.world
    let gate = Gate(isOpen: false)
    var dying: [Task<Void, Never>] = []
    advance(4000)
    for _ in 1...3 {
      let arrived = TestBox(false)
      let book = try await image.open(
        ScriptedTransport { request, _ throws(TransportFailure) in
          arrived.value = true
          await gate.pass()
          throw TransportFailure(
            GatebookError(.networkUnreachable, "It died.", remedy: "Wait."), delivery: .notSent)
        })
      dying.append(Task { _ = try? await book.token() })
      #expect(try await eventually { arrived.value })
      image = try image.crashImage()
      image.clock.advance(by: .seconds(4000))
    }
    let before = try image.kinds().count
    #expect(try !image.kinds().contains("refresh.started"))
    let next = try await image.open(party.line)
    #expect(try await next.token().value == Secret("access-3"))
    #expect(try image.kinds().dropFirst(before) == ["refresh.started", "refresh.succeeded"])
    await gate.open()
    for task in dying { await task.value }
  }

  @Test func `what was found last serves, and the server is not asked again at each use`()
    async throws
  {
    trouble.value.isSilent = true
    advance(4000)
    #expect(try await book.token().value == Secret("access-3"))
    #expect(asked.count == 1)
    for _ in 1...3 { #expect(try await book.renewNow(ada)) }
    // Neither does a process that starts now.
    let other = Self.transport(party, trouble)
    let later = try await party.world.open(other)
    #expect(try await later.renewNow(ada))
    #expect(asked.count == 1)
    #expect(!other.requests.contains { $0.url.path == Self.place })
    advance(301)
    #expect(try await book.renewNow(ada))
    #expect(asked.count == 2)
    trouble.value.isSilent = false
    advance(301)
    #expect(try await book.renewNow(ada))
    #expect(asked.count == 3)
    advance(3000)
    #expect(try await book.renewNow(ada))
    #expect(asked.count == 3)
  }

  @Test func `it is not asked at each use while its token endpoint is in trouble, too`()
    async throws
  {
    trouble.value = Trouble(isSilent: true, isDown: true)
    advance(4000)
    for _ in 1...4 {
      await expect(.serverUnavailable) { () throws(GatebookError) in _ = try await book.token() }
    }
    #expect(asked.count == 1)
  }

  @Test func `a login with what was saved does not ask each time, either`() async throws {
    try await book.saveToken(of: ada)
    trouble.value = Trouble(isSilent: true, isDown: true)
    advance(4000)
    for _ in 1...3 {
      await expect(.serverUnavailable) { () throws(GatebookError) in
        _ = try await book.logInAgain(ada)
      }
    }
    #expect(asked.count == 1)
    trouble.value.isDown = false
    #expect(try await book.logInAgain(ada).state == .active)
  }

  @Test func `it is left alone for as long as it demands`() async throws {
    trouble.value.answer = HTTPReply(status: 503, fields: [HTTPField("Retry-After", "3600")])
    advance(4000)
    #expect(try await book.renewNow(ada))
    #expect(asked.count == 1)
    for _ in 1...3 {
      advance(1000)
      #expect(try await book.renewNow(ada))
    }
    #expect(asked.count == 1)
    trouble.value.answer = nil
    advance(601)
    #expect(try await book.renewNow(ada))
    #expect(asked.count == 2)
  }

  @Test func `who declines a challenge in front of it is not asked again at each use`()
    async throws
  {
    party.server.settings.lifetime = .seconds(6000)
    #expect(try await book.renewNow(ada))
    trouble.value.answer = HTTPReply(
      status: 401, fields: [HTTPField("WWW-Authenticate", #"Basic realm="front""#)])
    let resolver = ScriptedResolver(last: .cancelAuthenticationChallenge)
    await book.register(resolver)
    advance(5000)
    let before = try party.world.kinds().count
    await expect(.challengeCancelled) { () throws(GatebookError) in _ = try await book.token() }
    #expect(resolver.asked.count == 1)
    #expect(!(try party.world.kinds().dropFirst(before).contains("refresh.started")))
    let token = try await book.token().value
    #expect(resolver.asked.count == 1)
    trouble.value.answer = nil
    advance(60)
    #expect(try await book.token().value != token)
  }

  @Test func `who has a token that lives does not wait long for it`() async throws {
    trouble.value.isSilent = true
    party.server.settings.lifetime = .seconds(6000)
    #expect(try await book.renewNow(ada))
    let first = try await book.token().value
    advance(5000)
    #expect(try await book.token().value != first)
    #expect(asked.map(\.limits.total) == [.seconds(5)])
    // The first time there is nothing to fall back on.
    let fresh = ScriptedTransport { [line = party.line] request, route throws(TransportFailure) in
      try await line.send(request, through: route)
    }
    _ = try await party.world.open(fresh).beginLogIn(
      .openID(
        issuer: try #require(Issuer(party.server.issuer)),
        application: RelyingParty.application(), flow: .code(redirectURI: RelyingParty.callback)))
    #expect(
      fresh.requests.filter { $0.url.path == Self.place }.map(\.limits.total) == [.seconds(30)])
  }

  @Test func `a place that has changed is reported before the refresh that goes there`()
    async throws
  {
    party.server.settings.changes[.metadata] = [
      "revocation_endpoint": "\"\(party.server.url)/revoke?2\""
    ]
    advance(4000)
    let before = try party.world.kinds().count
    #expect(try await book.renewNow(ada))
    #expect(
      try party.world.kinds().dropFirst(before)
        == ["discovery.changed", "refresh.started", "refresh.succeeded"])
    advance(60)
    #expect(try await book.renewNow(ada))
    #expect(try party.world.kinds().filter { $0 == "discovery.changed" }.count == 1)
    #expect(try BookReader.open(at: party.world.path).checkProjections().ok)
  }

  @Test func `a saved token that waits for that is not used up either`() async throws {
    try await book.saveToken(of: ada)
    advance(4000)
    let gate = Gate(isOpen: false)
    let dying = try await party.world.open(Self.transport(party, trouble, gate))
    let login = Task { [ada] in try? await dying.logInAgain(ada) }
    await gate.arrival()
    let image = try party.world.crashImage()
    #expect(try !image.kinds().contains("credentials.loaded"))
    await gate.open()
    #expect(await login.value?.state == .active)
  }
}
