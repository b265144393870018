import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 5 for a login with a saved refresh token: the server has used it up, and the book cannot
/// take what came instead.
@Suite struct UnsavedLoginTests {
  private let world: TestBook
  private let server: TokenServer
  private let hold: WriterHold
  private let book: SessionBook
  /// Another process.
  private let other: SessionBook
  private let ada: AccountID
  /// Whether the next answer of the token endpoint finds the book held by another process.
  private let isHeld = TestBox(false)

  /// Ada has saved her refresh token, and logged out; the server has granted her a session that the
  /// book could not take.
  init() async throws {
    world = try TestBook()
    server = TokenServer(world.clock)
    hold = WriterHold(world)
    book = try await world.open(
      HoldingTransport(server.transport, hold, isHeld), wait: .milliseconds(50))
    other = try await world.open(server.transport, wait: .zero)
    ada = try await book.logIn(server.method()).account
    try await book.saveToken(of: ada)
    try await book.logOut(ada)
    isHeld.value = true
    try await expectBusy(book)
  }

  private func expectBusy(_ book: SessionBook) async throws {
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await book.logInAgain(ada) }
    #expect(try world.kinds().last == "credentials.loaded")
    #expect(try await book.context(of: ada).state == .ended(.user))
  }

  private func expectWritten() async throws {
    try await expectUsed(Secret("acc-2"), book)
    #expect(try await book.context(of: ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1"])
    #expect(try world.kinds().count { $0 == "credentials.loaded" } == 1)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  /// On a busy machine the lock may come only after the book's short wait: then a later use has it.
  private func expectUsed(_ token: Secret, _ book: SessionBook) async throws {
    #expect(try await eventually { (try? await book.token().value) == token })
  }

  @Test func `it is written with the next use, and nothing is sent again`() async throws {
    let heard = HeardLogins()
    await book.setLoginDelegate(heard)
    try await expectBusy(book)
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await book.token() }
    // Another process sends nothing either: it would be refused what is used up.
    try await expectBusy(other)
    hold.release()
    try await expectWritten()
    #expect(
      try await eventually { await heard.heard == ["error storage.busy", "response", "saved"] })
    #expect(try await other.token().value == Secret("acc-2"))
  }

  @Test func `it is written automatically when the book can take it`() async throws {
    hold.release()
    #expect(try await eventually { try await book.context(of: ada).state == .active })
    try await expectWritten()
  }

  @Test func `it is written when the book is closed`() async throws {
    hold.release()
    await book.close()
    try await expectUsed(Secret("acc-2"), other)
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  @Test func `a logout that the book cannot take either leaves it as it is`() async throws {
    hold.release()
    try await expectUsed(Secret("acc-2"), book)
    isHeld.value = true
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await book.logInAgain(ada) }
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await book.logOut(ada) }
    hold.release()
    try await expectUsed(Secret("acc-3"), book)
    #expect(try await book.context(of: ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
  }

  @Test func `a logout meanwhile has the last word`() async throws {
    _ = try await book.logOut(ada)
    #expect(await book.hasUnwrittenGrants)
    hold.release()
    try await book.waitUntilWritten()
    #expect(try world.kinds().last == "login.cancelled")
    #expect(try await book.context(of: ada).state == .ended(.user))
    // What was saved was used up by it: what came instead has its place.
    #expect(try await other.logInAgain(ada).state == .active)
    #expect(server.refreshTokensSent == ["ref-1", "ref-2"])
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }
}

/// Has another process take the book when the token endpoint has answered.
private struct HoldingTransport: Transport {
  private let base: ScriptedTransport
  private let hold: WriterHold
  private let isArmed: TestBox<Bool>

  init(_ base: ScriptedTransport, _ hold: WriterHold, _ isArmed: TestBox<Bool>) {
    self.base = base
    self.hold = hold
    self.isArmed = isArmed
  }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await base.send(request, through: route)
    if request.url.path == "/token", isArmed.value {
      isArmed.value = false
      hold.take()
    }
    return reply
  }
}
