import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Proxies in front of a MobileFirst server while there is no account yet, and at logouts.
@Suite(.timeLimit(.minutes(10))) struct GuestChallengeTests {
  private let world: MobileFirstWorld
  private let transport: ScriptedTransport
  private let isVouchedFor = TestBox(true)
  private let isGated = TestBox(true)
  private let book: SessionBook
  private let certificate: ServerCertificate

  init() async throws {
    world = try await MobileFirstWorld()
    let (curl, isVouchedFor, isGated) = (world.transport, isVouchedFor, isGated)
    let shown = ServerCertificate(
      host: "127.0.0.1", port: try #require(HTTPURL(world.server.url)).origin.port,
      key: try KeyHash(TestCertificate.selfSigned().pin), defects: [.selfSigned])
    certificate = shown
    let field = HTTPField(
      "Authorization", "Basic " + Base64.encode(Array("gate:front door word".utf8)))
    transport = ScriptedTransport { request, route throws(TransportFailure) in
      guard isVouchedFor.value || route.trust.exceptions.contains(TrustException(accepting: shown))
      else {
        throw TransportFailure(
          GatebookError(.tlsUntrusted, "unknown", remedy: "ask"), delivery: .notSent,
          certificate: shown)
      }
      guard isGated.value else { return try await curl.send(request, through: route) }
      guard request.fields.contains(field) else {
        return HTTPReply(
          status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"The gate\"")])
      }
      var request = request
      request.fields.removeAll { $0 == field }
      return try await curl.send(request, through: route)
    }
    book = try await world.world.open(transport)
  }

  private func manager() async throws -> AuthorizationManager {
    try await world.manager(in: book)
  }

  @Test(arguments: [
    (ChallengeCredential.Persistence.none, [1, 2]), (.forSession, [1, 1]), (.permanent, [1, 1]),
  ])
  func `a guest's call asks, and what was given lasts as long as it was given for`(
    persistence: ChallengeCredential.Persistence, expected: [Int]
  ) async throws {
    let resolver = ScriptedResolver(last: .useCredential(.gate(persistence)))
    await book.register(resolver)
    let manager = try await manager()
    let page = HTTPRequest.get(try world.url("publicData"))
    var asked: [Int] = []
    for _ in 1...2 {
      #expect(try await manager.send(page).status == 200)
      asked.append(resolver.asked.count)
    }
    #expect(asked == expected)
    let challenge = try #require(resolver.challenges.first)
    #expect(challenge.account == nil)
    #expect(challenge.session == nil)
    let told = try await book.events(after: .start).filter { $0.kind.hasPrefix("challenge.") }
    #expect(told.prefix(2).map(\.kind) == ["challenge.received", "challenge.answered"])
    #expect(told.allSatisfy { $0.account == nil && $0.personal == nil })
  }

  @Test func `who decides nothing leaves the guest the refusal`() async throws {
    await book.register(ScriptedResolver())
    let manager = try await manager()
    #expect(try await manager.send(.get(world.url("publicData"))).status == 401)
  }

  @Test func `what a guest was given and accepted goes with the login, and opens the logout`()
    async throws
  {
    let resolver = ScriptedResolver(.acceptCertificate, .useCredential(.gate(.forSession)))
    await book.register(resolver)
    isVouchedFor.value = false
    let manager = try await manager()
    #expect(try await manager.send(.get(world.url("publicData"))).status == 200)
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    #expect(
      try await book.trust(of: account).exceptions == [TrustException(accepting: certificate)])
    let again = try await world.world.open(transport)
    let other = try await again.authorizationManager(of: account)
    #expect(try await other.send(.get(world.url("publicData"))).status == 200)
    try await other.logout("UserLogin")
    #expect(world.routes().last == "logout")
    let completed = try await again.events(after: .start).last { $0.kind == "logout.completed" }
    #expect(completed?.data["server"] == "done")
    #expect(resolver.asked == ["trust 0", "basic The gate 0"])
  }

  @Test func `the logout of a check asks nobody`() async throws {
    isGated.value = false
    let manager = try await manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    isGated.value = true
    let resolver = ScriptedResolver(last: .useCredential(.gate()))
    await book.register(resolver)
    try await manager.logout("PinCode")
    try await manager.logout("UserLogin")
    #expect(resolver.asked.isEmpty)
    let account = try #require(await manager.account)
    #expect(try await book.context(of: account).state == .ended(.user))
  }

  @Test func `an account without a session keeps at once what a call has learnt`() async throws {
    isGated.value = false
    let first = try await manager()
    try await first.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await first.account)
    try await first.logout("UserLogin")
    isGated.value = true
    isVouchedFor.value = false
    let resolver = ScriptedResolver(.acceptCertificate, .useCredential(.gate(.permanent)))
    await book.register(resolver)
    #expect(try await first.send(.get(world.url("publicData"))).status == 200)
    let again = try await world.world.open(transport)
    let other = try await world.manager(account, in: again)
    #expect(try await other.send(.get(world.url("publicData"))).status == 200)
    #expect(try await again.trust(of: account).exceptions.count == 1)
    #expect(resolver.asked.count == 2)
  }

  @Test(arguments: [ChallengeCredential.Persistence.forSession, .permanent])
  func `what is given in a flow is kept once`(
    persistence: ChallengeCredential.Persistence
  ) async throws {
    isGated.value = false
    let manager = try await manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    isGated.value = true
    let resolver = ScriptedResolver(.useCredential(.gate(persistence)))
    await book.register(resolver)
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(world.routes().suffix(3) == ["preauthorize", "authorization", "token"])
    #expect(resolver.asked.count == 1)
    #expect(try await world.events(.credentialsSaved).count == 1)
  }

  /// Removes what an account keeps as soon as a check has succeeded: codes and tokens come after
  /// it.
  private final class Remover: ChallengeHandler {
    let isRemoved = TestBox(false)
    private let book: SessionBook
    private let account: AccountID

    init(_ book: SessionBook, _ account: AccountID) {
      self.book = book
      self.account = account
    }

    func handleChallenge(_ challenge: SecurityCheckChallenge) async {}

    func handleSuccess(_ success: SecurityCheckSuccess) async {
      isRemoved.value = (try? await book.removeCredentials(of: account)) ?? false
    }
  }

  @Test func `what is removed in the middle of a flow stays removed`() async throws {
    isGated.value = false
    let manager = try await manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    isGated.value = true
    let resolver = ScriptedResolver(.useCredential(.gate(.permanent)))
    await book.register(resolver)
    let remover = Remover(book, account)
    await manager.register(remover, for: "UserLogin")
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(remover.isRemoved.value)
    #expect(resolver.asked.count == 1)
    #expect(try await !book.removeCredentials(of: account))
  }

  @Test func `what an account without a session removes does not come back with its login`()
    async throws
  {
    isGated.value = false
    let manager = try await manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    try await manager.logout("UserLogin")
    isGated.value = true
    let resolver = ScriptedResolver(.useCredential(.gate(.permanent)))
    await book.register(resolver)
    #expect(try await manager.send(.get(world.url("publicData"))).status == 200)
    #expect(try await book.removeCredentials(of: account))
    try await manager.authenticate(.user("john"), check: "UserLogin")
    #expect(resolver.asked.count == 1)
    #expect(try await !book.removeCredentials(of: account))
  }

  @Test func `what an account without a session is given for good goes with its login`()
    async throws
  {
    isGated.value = false
    let manager = try await manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    try await manager.logout("UserLogin")
    isGated.value = true
    let resolver = ScriptedResolver(.useCredential(.gate(.permanent)))
    await book.register(resolver)
    #expect(try await manager.send(.get(world.url("publicData"))).status == 200)
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let again = try await world.manager(account, in: world.world.open(transport))
    #expect(try await again.send(.get(world.url("publicData"))).status == 200)
    #expect(resolver.asked.count == 1)
  }
}
