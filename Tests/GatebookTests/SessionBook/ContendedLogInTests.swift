import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Logins whose account others change, or that find what they cannot read.
@Suite struct ContendedLogInTests {
  private let server = FormServer()
  private let world: TestBook
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport)
  }

  private func given() throws -> GivenCredential {
    GivenCredential(
      server: try server.url("/").origin, realm: "gate",
      credential: HTTPCredential(user: "gate", .password(Secret("front door word"))),
      isPermanent: true, allowsCleartext: false, strength: .basic)
  }

  private func logIn(isSilent: Bool, _ account: AccountID) async throws -> SessionContext {
    isSilent ? try await book.logInAgain(account) : try await book.logIn(server.login())
  }

  /// The login has read what the account trusts and keeps, and waits for the store.
  @Test(arguments: [false, true])
  func `what another process takes back while a login ends stays taken back`(
    isSilent: Bool
  ) async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    options.trust.exceptions = [
      TrustException(
        host: "127.0.0.1", port: 8080, key: KeyHash(of: Array("a key".utf8)),
        defects: [.selfSigned])
    ]
    let account = try await book.logIn(server.login(), options: options).account
    try await book.keep([given()], of: account)
    let other = try await world.open(server.transport)
    server.hold("/login")
    let login = Task { try await logIn(isSilent: isSilent, account) }
    await server.arrival()
    let hold = StoreHold()
    await hold.take(try book.store.get())
    server.release(
      HTTPReply(
        status: 302,
        fields: [HTTPField("Location", "/check"), HTTPField("Set-Cookie", "sid=1; Path=/")]))
    await hold.arrival()
    #expect(try await other.revokeTrust(of: account) == .system)
    #expect(try await other.removeCredentials(of: account))
    hold.release()
    #expect(try await login.value.state == .active)
    #expect(try await other.trust(of: account) == .system)
    #expect(try await other.keptCredentials(of: account).isEmpty)
    let session = try #require(try await other.openSession(of: account))
    #expect(session.stored.trust == .system)
    #expect(session.stored.given.isEmpty)
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    #expect(try reader.secret(of: account, purpose: Purpose.credentials) == nil)
    #expect(try world.kinds().filter { $0 == "login.succeeded" }.count == 2)
  }

  @Test(arguments: [false, true])
  func `a login that cannot read what the account keeps ends in the log`(
    isSilent: Bool
  ) async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let account = try await book.logIn(server.login(), options: options).account
    var append = Append([])
    append.vault = [
      .set(account, purpose: Purpose.challenges, generation: 1, content: Array("?".utf8))
    ]
    try await book.commit(append)
    let before = try world.kinds().count
    let error = await #expect(throws: GatebookError.self) {
      try await logIn(isSilent: isSilent, account)
    }
    #expect(error?.code == .storageDamaged)
    #expect(
      try world.kinds().dropFirst(before)
        == (isSilent
          ? ["login.started", "credentials.loaded", "login.failed"]
          : ["login.started", "login.failed"]))
    #expect(try await book.context(of: account).state == .active)
  }
}
