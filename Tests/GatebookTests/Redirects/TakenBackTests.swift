import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What is taken back while a login waits for its redirect stays taken back.
@Suite(.timeLimit(.minutes(5))) struct TakenBackTests {
  private static let key = KeyHash(of: Array("a key".utf8))
  private static let other = KeyHash(of: Array("another key".utf8))
  private let world: TestBook
  private let server = RedirectServer()
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport)
  }

  private func begin(_ options: LoginOptions = LoginOptions()) async throws -> String {
    let pending = try await book.beginLogIn(.redirect(), options: options)
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    return "\(pending.redirectURI)?state=\(try #require(query["state"]))&code=code-"
  }

  private func permitting() -> LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = true
    options.trust.exceptions = [exception(Self.key)]
    options.trust.pins = [Self.key]
    return options
  }

  private func exception(_ key: KeyHash, port: Int = 443) -> TrustException {
    TrustException(host: "portal.example.test", port: port, key: key, defects: [.selfSigned])
  }

  private func given() throws -> GivenCredential {
    GivenCredential(
      server: try #require(HTTPURL("https://portal.example.test")).origin, realm: "gate",
      credential: HTTPCredential(user: "gate", .password(Secret("front door word"))),
      isPermanent: true, allowsCleartext: false, strength: .basic)
  }

  /// An account that trusts a key, saves its credentials and keeps one for challenges.
  private func account() async throws -> AccountID {
    let redirect = try await begin(permitting())
    let account = try await book.finishLogIn(redirect: redirect + "ada").account
    try await book.keep([given()], of: account)
    return account
  }

  private func expectNothing(_ account: AccountID) async throws {
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    #expect(try await book.trust(of: account) == .system)
    #expect(try await book.keptCredentials(of: account).isEmpty)
    #expect(try reader.secret(of: account, purpose: Purpose.credentials) == nil)
    let session = try #require(try await book.openSession(of: account))
    #expect(session.stored.trust == .system)
    #expect(session.stored.given.isEmpty)
    #expect(try world.kinds().filter { $0 == "login.succeeded" }.count == 2)
  }

  /// How the login that waits was begun.
  enum Beginning: CaseIterable {
    /// With what the account has already.
    case plainly
    /// With the same permissions once more: older than the taking back.
    case permitting
  }

  @Test(arguments: Beginning.allCases, [false, true])
  func `between begin and finish`(beginning: Beginning, isRestarted: Bool) async throws {
    let account = try await account()
    let redirect = try await begin(beginning == .permitting ? permitting() : LoginOptions())
    #expect(try await book.revokeTrust(of: account) == .system)
    #expect(try await book.removeCredentials(of: account))
    let finisher = isRestarted ? try await world.open(server.transport) : book
    #expect(try await finisher.finishLogIn(redirect: redirect + "ada-2").account == account)
    try await expectNothing(account)
  }

  @Test(arguments: Beginning.allCases)
  func `while the login's end waits for the store`(beginning: Beginning) async throws {
    let account = try await account()
    let redirect = try await begin(beginning == .permitting ? permitting() : LoginOptions())
    let gate = Gate(isOpen: false)
    let finisher = try await world.open(LateIdentity(transport: server.transport, gate: gate))
    let login = Task { try await finisher.finishLogIn(redirect: redirect + "ada-2") }
    await gate.arrival()
    let hold = StoreHold()
    await hold.take(try finisher.store.get())
    await gate.open()
    await hold.arrival()
    #expect(try await book.revokeTrust(of: account) == .system)
    #expect(try await book.removeCredentials(of: account))
    hold.release()
    #expect(try await login.value.account == account)
    try await expectNothing(account)
  }

  @Test func `what was permitted is kept where nobody takes it back`() async throws {
    let account = try await account()
    let redirect = try await begin(permitting())
    _ = try await book.finishLogIn(redirect: redirect + "ada-2")
    #expect(try await book.trust(of: account) == permitting().trust)
    #expect(try await book.openSession(of: account)?.stored.given.known == [given()])
    #expect(try await book.removeCredentials(of: account))
  }

  @Test func `only the key that was taken back, and not what was decided after it`() async throws {
    let account = try await account()
    var options = permitting()
    options.trust.exceptions.append(exception(Self.other, port: 8443))
    let first = try await begin(options)
    let second = try await begin(permitting())
    #expect(try await book.revokeTrust(of: account, key: Self.key) == .system)
    _ = try await book.finishLogIn(redirect: first + "ada-2")
    #expect(try await book.trust(of: account).keys == [Self.other])
    // Accepted again, and not revoked since.
    let again = try await begin(permitting())
    _ = try await book.finishLogIn(redirect: again + "ada-3")
    _ = try await book.finishLogIn(redirect: second + "ada-4")
    #expect(try await book.trust(of: account).keys == [Self.key, Self.other])
  }

  @Test func `a certificate that is refused meanwhile gives no key back`() async throws {
    let account = try await account()
    let redirect = try await begin(permitting())
    #expect(try await book.revokeTrust(of: account) == .system)
    // What a request that meets the key again records, nobody having decided for it.
    let refused = exception(Self.key).decision(by: "policy", "refused")
    try await book.commit(Append([ProposedEvent(refused, account: account)]))
    _ = try await book.finishLogIn(redirect: redirect + "ada-2")
    #expect(try await book.trust(of: account) == .system)
  }

  @Test func `what finishes a login does not trust what was taken back`() async throws {
    let account = try await account()
    var options = permitting()
    options.account = account
    let redirect = try await begin(options)
    #expect(try await book.revokeTrust(of: account) == .system)
    let seen = TestBox<[Trust]>([])
    let server = server.transport
    let finisher = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        seen.withLock { $0.append(route.trust) }
        return try await server.send(request, through: route)
      })
    _ = try await finisher.finishLogIn(redirect: redirect + "ada-2")
    #expect(seen.value.count == 2)
    #expect(seen.value.allSatisfy { $0.keys.isEmpty })
  }

  @Test func `what was given in the login itself, and then taken back, is not kept`() async throws {
    let account = try await account()
    let redirect = try await begin()
    let gate = Gate(isOpen: false)
    let late = LateIdentity(transport: server.transport, gate: gate)
    let doorman = Doorman(before: late)
    let finisher = try await world.open(doorman.transport)
    let resolver = ScriptedResolver(
      .useCredential(
        ChallengeCredential(user: "gate", password: Secret("word"), persistence: .permanent)))
    await finisher.register(resolver)
    doorman.refuse("Basic realm=\"door\"")
    let login = Task { try await finisher.finishLogIn(redirect: redirect + "ada-2") }
    await gate.arrival()
    #expect(resolver.asked == ["basic door 0"])
    #expect(try await book.removeCredentials(of: account))
    await gate.open()
    #expect(try await login.value.account == account)
    #expect(try await book.keptCredentials(of: account).isEmpty)
    #expect(try await book.openSession(of: account)?.stored.given.isEmpty == true)
  }

  @Test func `what somebody else's account takes back is no affair of this one`() async throws {
    let account = try await account()
    let redirect = try await begin(permitting())
    try await book.revokeTrust(of: account)
    try await book.removeCredentials(of: account)
    let bob = try await book.finishLogIn(redirect: redirect + "bob").account
    #expect(bob != account)
    #expect(try await book.trust(of: bob).keys == [Self.key])
    #expect(try await book.removeCredentials(of: bob))
  }

  @Test(arguments: [false, true])
  func `a resolver that was taken back is not asked`(isTakenBack: Bool) async throws {
    let (portal, isGated) = (server.transport, TestBox(false))
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard isGated.value else { return try await portal.send(request, through: route) }
        return HTTPReply(
          status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"The gate\"")])
      })
    let resolver = ScriptedResolver()
    await book.register(resolver)
    let pending = try await book.beginLogIn(.redirect())
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    isGated.value = true
    if isTakenBack { await book.removeResolver() }
    await #expect(throws: GatebookError.self) {
      try await book.finishLogIn(
        redirect: "\(pending.redirectURI)?state=\(try #require(query["state"]))&code=code-ada")
    }
    #expect(resolver.asked.isEmpty == isTakenBack)
  }
}

/// Lets the user's record through when a gate opens: the last answer of a login.
private struct LateIdentity: Transport {
  let transport: ScriptedTransport
  let gate: Gate

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    if !request.url.path.hasSuffix("/token") { await gate.pass() }
    return reply
  }
}
