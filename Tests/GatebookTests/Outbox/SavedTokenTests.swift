import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Glibc
import Testing

/// What a logout leaves of a refresh token that the user saved.
@Suite struct SavedTokenTests {
  private let party: RelyingParty
  private let ada: AccountID
  private let isDown = TestBox(false)
  private let book: SessionBook

  init() async throws {
    party = try await RelyingParty()
    var options = LoginOptions()
    options.saveCredentials = true
    ada = try await party.logIn(options: options).get().account
    book = try await party.world.open(
      ScriptedTransport { [line = party.line, isDown] request, route throws(TransportFailure) in
        if request.url.path == "/revoke", isDown.value { return HTTPReply(status: 503) }
        return try await line.send(request, through: route)
      })
  }

  private var revoked: [String] {
    party.server.requests.filter { $0.path == "/revoke" }.compactMap { $0.formValue("token") }
  }

  @Test func `it survives a logout, as what was saved does`() async throws {
    try await book.logOut(ada)
    #expect(revoked == ["access-2"])
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(try await book.renewNow(ada))
  }

  @Test func `a logout that forgets what was saved takes it back, too`() async throws {
    try await book.logOut(ada, forgettingCredentials: true)
    #expect(Set(revoked) == ["access-2", "refresh-2"])
  }

  @Test func `a logout that is delivered late does not end the login that came after it`()
    async throws
  {
    isDown.value = true
    try await book.logOut(ada)
    #expect(try await book.logInAgain(ada).state == .active)
    isDown.value = false
    party.world.clock.advance(by: .seconds(100))
    #expect(try await book.sync().waiting == 0)
    #expect(!revoked.contains { $0.hasPrefix("refresh") }, "\(revoked)")
    #expect(try await book.renewNow(ada))
  }

  @Test func `an answer that comes after the logout takes its place among what was saved`()
    async throws
  {
    let gate = Gate(isOpen: false)
    let late = try await party.world.open(
      ScriptedTransport { [line = party.line] request, route throws(TransportFailure) in
        let reply = try await line.send(request, through: route)
        if request.url.path == "/token" { await gate.pass() }
        return reply
      })
    let renewal = Task { try? await late.renewNow(ada) }
    await gate.arrival()
    try await book.logOut(ada)
    await gate.open()
    _ = await renewal.value
    #expect(try party.world.kinds().contains("refresh.discarded"))
    #expect(try await book.sync().waiting == 0)
    #expect(!revoked.contains { $0.hasPrefix("refresh") }, "\(revoked)")
    // The server has used up the one that was saved first.
    #expect(try await book.logInAgain(ada).state == .active)
    #expect(try await book.renewNow(ada))
    #expect(try BookReader.open(at: party.world.path).checkProjections().ok)
  }

  @Test func `one that was forgotten after the logout is taken back, at once or later`()
    async throws
  {
    try await book.logOut(ada)
    isDown.value = true
    try await book.logOut(ada, forgettingCredentials: true)
    let last = try party.world.kinds().suffix(3)
    #expect(last == ["credentials.removed", "revocation.queued", "revocation.failed"])
    #expect(try await !book.hasSavedLogin(ada))
    isDown.value = false
    party.world.clock.advance(by: .seconds(100))
    #expect(try await book.sync().delivered == 1)
    #expect(revoked.last == "refresh-2" || revoked.contains("refresh-2"), "\(revoked)")
  }

  @Test func `one that a login has just sent is not taken back before that has ended`() async throws
  {
    try await book.logOut(ada)
    let gate = Gate(isOpen: false)
    let late = try await party.world.open(
      ScriptedTransport { [line = party.line] request, route throws(TransportFailure) in
        if request.url.path == "/token" { await gate.pass() }
        return try await line.send(request, through: route)
      })
    let login = Task { try? await late.logInAgain(ada) }
    await gate.arrival()
    let before = revoked.count
    #expect(try await book.removeCredentials(of: ada))
    #expect(revoked.count == before)
    await gate.open()
    #expect(await login.value?.state == .active)
    party.world.clock.advance(by: .seconds(100))
    _ = try await book.sync()
    #expect(!revoked.dropFirst(before).contains { $0.hasPrefix("refresh") }, "\(revoked)")
    #expect(try await book.renewNow(ada))
  }

  @Test func `one that was removed is taken back where no session lives by it`() async throws {
    #expect(try await book.removeCredentials(of: ada))
    #expect(revoked.isEmpty)
    #expect(try await book.renewNow(ada))
    var options = LoginOptions()
    options.saveCredentials = true
    try await book.logOut(ada)
    #expect(Set(revoked) == ["access-3", "refresh-3"], "\(revoked)")
    _ = try await party.logIn(options: options).get()
    try await book.logOut(ada)
    let before = revoked.count
    #expect(try await book.removeCredentials(of: ada))
    #expect(revoked.dropFirst(before).contains { $0.hasPrefix("refresh") }, "\(revoked)")
  }

  @Test func `one process tells the servers, over all of them`() async throws {
    isDown.value = true
    try await book.logOut(ada)
    isDown.value = false
    #expect(try await book.why(ada).advice == .deliver)
    let reader = try BookReader.open(at: party.world.path)
    var lock = try reader.takeLock(ofOutbox: ada)
    #expect(lock != nil)
    let why = try await book.why(ada)
    #expect(why.advice == .awaitDelivery)
    // The lock is this process's: ending it ends a stopped delivery.
    #expect(Told(why).answer.contains("Process \(getpid()) is telling the server"), "\(Told(why))")
    let report = try await book.sync()
    #expect(report.waiting == 0)
    #expect(report.underWay == 1)
    #expect(revoked.isEmpty)
    lock = nil
    #expect(try await book.sync().delivered == 1)
    #expect(revoked == ["access-2"])
  }
}
