import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// A delegate that uses the account of which it hears: nothing of Gatebook waits for it meanwhile.
@Suite struct LoginDelegateTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: AccountID
  private let delegate: CallingDelegate

  /// Ada has saved her password; her session is over, and its refresh token is forgotten.
  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    var options = LoginOptions()
    options.saveCredentials = true
    ada = try await book.logIn(server.method(), options: options).account
    server.forgetRefreshTokens()
    server.advance(600)
    delegate = CallingDelegate(book, ada, try server.page())
    await book.setLoginDelegate(delegate)
  }

  /// Whether something comes to its end.
  private func ends(_ work: @escaping @Sendable () async -> Void) async throws -> Bool {
    let isDone = TestBox(false)
    Task {
      await work()
      isDone.value = true
    }
    return try await eventually(within: .seconds(20)) { isDone.value }
  }

  @Test(arguments: ["token", "logInAgain", "logIn"])
  func `it may use the account that was logged in`(_ use: String) async throws {
    let method = try server.method()
    let isEnded = try await ends { [book, ada] in
      switch use {
      case "token": _ = try? await book.token()
      case "logInAgain": _ = try? await book.logInAgain(ada)
      default:
        var options = LoginOptions()
        options.saveCredentials = true
        _ = try? await book.logIn(method, options: options)
      }
    }
    #expect(isEnded)
    #expect(await delegate.heard == ["response, 200", "saved, 200"])
  }

  @Test(arguments: [false, true])
  func `it may use the account whose login failed`(isAsked: Bool) async throws {
    server.settings.refusesPasswords = true
    let isEnded = try await ends { [book, ada] in
      if isAsked { _ = try? await book.logInAgain(ada) } else { _ = try? await book.token() }
    }
    #expect(isEnded)
    // Its own use of the session then finds out that this is over, too.
    let session = isAsked ? ["error token.refused, 0"] : []
    #expect(await delegate.heard.sorted() == ["error credentials.refused, 0"] + session)
  }

  @Test func `it hears of a login whose caller waits no longer`() async throws {
    await server.gate.shut()
    let caller = Task { [book] in try? await book.token() }
    await server.gate.arrival()
    caller.cancel()
    #expect(await caller.value == nil)
    await server.gate.open()
    #expect(
      try await eventually(within: .seconds(20)) {
        await delegate.heard == ["response, 200", "saved, 200"]
      })
  }

  @Test func `it hears once of a login for which many wait`() async throws {
    await server.gate.shut()
    let callers = (1...5).map { _ in Task { [book] in try await book.token().value } }
    await server.gate.arrival()
    await server.gate.open()
    // The delegate renews meanwhile: which token each of them reads is not told.
    for caller in callers { _ = try await caller.value }
    #expect(
      try await eventually(within: .seconds(20)) {
        await delegate.heard == ["response, 200", "saved, 200"]
      })
  }

  // MARK: Refused for good

  /// Ada's session is over, nothing was saved, and her refresh token is forgotten.
  private func forgetUnsaved() async throws {
    _ = try await book.logOut(ada, forgettingCredentials: true)
    _ = try await book.logIn(server.method())
    await book.setLoginDelegate(delegate)
    server.forgetRefreshTokens()
    server.advance(600)
  }

  @Test func `it hears once of a session that its server refuses where nothing was saved`()
    async throws
  {
    await book.setLoginDelegate(nil)
    try await forgetUnsaved()
    await server.gate.shut()
    let callers = (1...5).map { _ in Task { [book] in try? await book.token().value } }
    await server.gate.arrival()
    await server.gate.open()
    for caller in callers { #expect(await caller.value == nil) }
    #expect(
      try await eventually(within: .seconds(20)) {
        await delegate.heard == ["error token.refused, 0"]
      })
    for _ in 1...2 {
      await expect(.sessionRefused) { () throws(GatebookError) in _ = try await book.token() }
    }
    #expect(await delegate.heard == ["error token.refused, 0"])
  }

  @Test func `it hears of a refusal that came while nobody waited`() async throws {
    await book.setLoginDelegate(nil)
    _ = try await book.logOut(ada, forgettingCredentials: true)
    let soft = try await world.open(server.transport, renewalPolicy: .inBackground)
    _ = try await soft.logIn(server.method())
    let heard = HeardLogins()
    await soft.setLoginDelegate(heard)
    server.forgetRefreshTokens()
    server.advance(480)
    #expect(try await soft.send(server.page()).status == 200)
    // The session continues until its access token expires.
    #expect(try await eventually { try await soft.currentContext()?.renewalEnd == .refused })
    #expect(await heard.heard.isEmpty)
    server.advance(121)
    let page = try server.page()
    await expect(.sessionRefused) { () throws(GatebookError) in _ = try await soft.send(page) }
    #expect(
      try await eventually(within: .seconds(20)) {
        await heard.heard == ["error token.refused"]
      })
  }

  @Test func `it hears nothing of a renewal that may go well later`() async throws {
    await book.setLoginDelegate(nil)
    try await forgetUnsaved()
    for answer in [HTTPReply(status: 503), HTTPReply(status: 404)] {
      server.settings.answer = answer
      _ = try? await book.renewNow(ada)
    }
    server.settings.answer = nil
    server.settings.lostQuestions = 2
    for _ in 1...2 { _ = try? await book.renewNow(ada) }
    #expect(await delegate.heard.isEmpty)
  }
}
