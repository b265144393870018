import GatebookCurl
import GatebookFakes
import Testing

@testable import Gatebook

/// Keys that are taken back while a security check logs in.
@Suite(.timeLimit(.minutes(5))) struct RevokedTrustTests {
  private let world: MobileFirstWorld
  private let gate = Gate(isOpen: true)
  private let book: SessionBook

  init() async throws {
    world = try await MobileFirstWorld()
    book = try await world.world.open(LateChecks(transport: world.transport, gate: gate))
  }

  private func trusting() -> LoginOptions {
    var options = LoginOptions()
    options.trust.exceptions = [
      TrustException(
        host: "127.0.0.1", port: 8443, key: KeyHash(of: Array("a key".utf8)),
        defects: [.selfSigned])
    ]
    options.trust.pins = [KeyHash(of: Array("a pin".utf8))]
    return options
  }

  private func manager(
    _ account: AccountID?, _ options: LoginOptions
  ) async throws -> AuthorizationManager {
    try await book.authorizationManager(
      for: world.app(), account: account, options: options, makeKey: { MobileFirstWorld.key })
  }

  private func account() async throws -> AccountID {
    let manager = try await manager(nil, trusting())
    try await manager.authenticate(.user("john"), check: "UserLogin")
    try await manager.logout("UserLogin")
    return try #require(await manager.account)
  }

  /// Who logs in.
  enum Manager: CaseIterable {
    /// The account's own.
    case bound
    /// One that gets to know the account by the login.
    case unbound
    /// The account's own, to which the key was named once more before it was taken back.
    case named
  }

  /// The login has read what the account trusts, and waits for the store.
  @Test(arguments: Manager.allCases)
  func `a key that is taken back while a check logs in does not come back`(
    who: Manager
  ) async throws {
    let account = try await account()
    let manager = try await manager(
      who == .unbound ? nil : account, who == .named ? trusting() : LoginOptions())
    let other = try await world.world.open(world.transport)
    await gate.shut()
    let login = Task { try await manager.login("UserLogin", credentials: .user("john")) }
    await gate.arrival()
    let hold = StoreHold()
    await hold.take(try book.store.get())
    await gate.open()
    await hold.arrival()
    #expect(try await other.revokeTrust(of: account) == .system)
    hold.release()
    #expect(try await login.value.account == account)
    #expect(try await other.trust(of: account) == .system)
    #expect(try await other.openSession(of: account)?.stored.trust == .system)
  }

  @Test func `a key that is taken back before the manager it was named to logs in`() async throws {
    let account = try await account()
    let manager = try await manager(account, trusting())
    let other = try await world.world.open(world.transport)
    #expect(try await other.revokeTrust(of: account) == .system)
    try await manager.login("UserLogin", credentials: .user("john"))
    #expect(try await other.trust(of: account) == .system)
  }

  @Test func `the account's own policy stays where none is named`() async throws {
    let account = try await account()
    #expect(try await book.trust(of: account) == trusting().trust)
    let manager = try await manager(account, LoginOptions())
    try await manager.login("UserLogin", credentials: .user("john"))
    #expect(try await book.trust(of: account) == trusting().trust)
    #expect(try await book.openSession(of: account)?.stored.trust == trusting().trust)
  }
}

/// Lets the answers of security checks through when a gate opens.
private struct LateChecks: Transport {
  let transport: CurlTransport
  let gate: Gate

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    if request.url.path.hasSuffix("preauthorize") { await gate.pass() }
    return reply
  }
}
