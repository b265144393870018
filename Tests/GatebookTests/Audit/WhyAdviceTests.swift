import Gatebook
import GatebookFakes
import GatebookTestSupport
import Glibc
import Testing

/// What is advised where more than one thing has happened to an account.
@Suite struct WhyAdviceTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private func logIn(saving: Bool = false, limit: Duration? = nil) async throws -> AccountID {
    var options = LoginOptions()
    options.saveCredentials = saving
    options.offlineLimit = limit
    return try await book.logIn(server.method(), options: options).account
  }

  private func told(_ account: AccountID, in other: SessionBook? = nil) async throws -> Told {
    Told(try await (other ?? book).why(account))
  }

  private static let later = HTTPReply(status: 503, fields: [HTTPField("Retry-After", "120")])

  @Test(arguments: [false, true])
  func `a resumed session is not advised to be used where that cannot help`(
    isDemanded: Bool
  ) async throws {
    let ada = try await logIn()
    server.advance(601)
    if isDemanded {
      server.settings.answer = Self.later
    } else {
      server.settings.isMisplaced = true
    }
    _ = try? await book.send(server.page())
    let before = try await told(ada)
    #expect(before.advice == (isDemanded ? .wait : .checkSettings))
    _ = try await book.restore(ada)
    let after = try await told(ada)
    #expect(after.advice == before.advice)
    // An address that is wrong may be right again.
    let use =
      isDemanded
      ? "The session cannot be used " : "The session must be renewed before its next use"
    #expect(after.answer.hasPrefix(use), "\(after)")
    #expect(after.answer.contains("it has been offline since T"), "\(after)")
  }

  @Test func `a time that a server named under a wrong clock is over when the clock is right`()
    async throws
  {
    let ada = try await logIn()
    server.advance(601)
    let right = world.clock.now().wall
    world.clock.jump(by: .seconds(172_800))
    server.settings.answer = Self.later
    _ = try? await book.send(server.page())
    #expect(try await told(ada).advice == .wait)
    world.clock.jump(by: right - world.clock.now().wall)
    let told = try await told(ada)
    #expect(told.advice == .tryAgain)
    #expect(!told.answer.contains("before T"), "\(told)")
    server.settings.answer = nil
    #expect(try await book.send(server.page()).status == 200)
  }

  @Test(arguments: [false, true])
  func `a logged-out account tells how logins since have failed`(isSaved: Bool) async throws {
    let ada = try await logIn(saving: isSaved)
    try await book.logOut(ada)
    server.settings.isMisplaced = true
    if isSaved {
      _ = try? await book.logInAgain(ada)
    } else {
      _ = try? await book.logIn(server.method())
    }
    #expect(try await told(ada).advice == .checkSettings)
  }

  @Test func `a session that had ended before its logout is described as that`() async throws {
    let ada = try await logIn()
    server.advance(601)
    server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    _ = try? await book.send(server.page())
    try await book.logOut(ada)
    let archive = "\(world.path).archive"
    defer { unlink(archive) }
    for isArchived in [false, true] {
      if isArchived { _ = try await book.archive(to: archive) }
      let told = try await told(ada)
      #expect(
        told.answer.hasPrefix(
          "The session ended at T: the server rejected the refresh token (400 invalid_grant). At T the user logged out."
        ), "\(told)")
    }
  }

  @Test func `a decision that was taken back is settled by the next word of the server`()
    async throws
  {
    let key = try KeyHash("sha256/\(String(repeating: "A", count: 42))A=")
    var options = LoginOptions()
    options.trust.pins = [key]
    let ada = try await book.logIn(server.method(), options: options).account
    try await book.revokeTrust(of: ada, key: key)
    #expect(try await told(ada).advice == .logInTrusting)
    server.advance(601)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try await told(ada).advice == .nothing)
  }

  /// What a server says that does not tell whether a session lives on, and what that calls for.
  private static let checks: [(answer: HTTPReply, advice: Advice)] = [
    (HTTPReply(status: 500), .use),
    (later, .wait),
    (
      HTTPReply(status: 302, fields: [HTTPField("Location", "https://other.example/")]),
      .checkSettings
    ),
  ]

  @Test(arguments: checks)
  func `a resumed session tells what its server was asked in vain`(
    answer: HTTPReply, advice: Advice
  ) async throws {
    let replies = TestBox<HTTPReply?>(nil)
    let pages = BasicServer()
    let book = try await TestBook().open(
      ScriptedTransport { request, route throws(TransportFailure) in
        if let reply = replies.value { return reply }
        return try await pages.transport.send(request, through: route)
      })
    let ada = try await book.logIn(.basic()).account
    _ = try await book.restore(ada)
    #expect(try await told(ada, in: book).advice == .use)
    replies.value = answer
    #expect(try await book.sync().failures.count == 1)
    let told = try await told(ada, in: book)
    #expect(told.advice == advice, "\(told)")
    #expect(told.steps.last?.contains("got no usable answer") == true, "\(told)")
    replies.value = nil
    world.clock.advance(by: .seconds(121))
    #expect(try await book.sync().verified == [ada])
    #expect(try await self.told(ada, in: book).advice == .nothing)
  }

  @Test func `a security check that nobody could answer is still to be answered`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: "PinCode")
    }
    let told = Told(try await world.book.why(account))
    #expect(told.advice == .answerChallenge, "\(told)")
    await manager.register(handler, for: "PinCode")
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    #expect(try await world.book.why(account).advice == .nothing)
  }

  @Test func `what is asked in vain again and again is written once`() async throws {
    let server = BasicServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic()).account
    _ = try await book.restore(ada)
    for (mood, count) in [(BasicServer.Mood.down, 0), (.status(500), 1), (.status(502), 2)] {
      server.set(mood)
      for _ in 1...3 { #expect(try await book.sync().failures.count == 1) }
      #expect(try world.kinds().filter { $0 == "session.unverified" }.count == count)
    }
    #expect(try await book.context(of: ada).state.name == "offline")
  }

  @Test func `cookies whose life is over are not told to be of use`() async throws {
    let portal = try await PortalWorld()
    let ada = try await portal.logIn(.cookie)
    portal.world.clock.advance(by: .seconds(901))
    portal.portal.stop()
    let call = try portal.call()
    await #expect(throws: GatebookError.self) { try await portal.book.send(call) }
    let told = Told(try await portal.book.why(ada.account))
    #expect(
      told.answer.hasPrefix("The session must be renewed before its next use"),
      "\(told)")
    #expect(told.advice == .tryAgain)
  }

  @Test func `a password that was sent is not told as used up`() async throws {
    let portal = try await PortalWorld()
    let ada = try await portal.logIn(.cookie)
    try await portal.book.leaveIntent(of: ada.account)
    let told = Told(try await portal.book.why(ada.account))
    #expect(
      told.answer.hasSuffix("sends the same request, perhaps for the second time."), "\(told)")
  }

  @Test func `each event of nobody's login tells that it has failed`() async throws {
    server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"error":"invalid_client"}"#.utf8))
    await #expect(throws: GatebookError.self) { try await book.logIn(server.method()) }
    let end = Position(rawValue: Int64(try world.kinds().count))
    let failure = Told(try #require(try await book.why(end)))
    #expect(failure.advice == .checkSettings)
    let start = try #require(
      try world.kinds().firstIndex(of: "login.started"))
    let told = try #require(try await book.why(Position(rawValue: Int64(start + 1))))
    #expect(told.advice == failure.advice)
    #expect(told.present != nil)
    #expect(told.steps.allSatisfy { $0.position != end })
  }

  @Test func `how somebody's own login failed hides nothing of what was saved`() async throws {
    let ada = try await logIn(saving: true)
    try await book.logOut(ada)
    server.settings.isMisplaced = true
    _ = try? await book.logIn(server.method())
    #expect(try await told(ada).advice == .logInWithSaved)
  }

  @Test func `a wrong password offline hides nothing of the renewal`() async throws {
    let ada = try await logIn(saving: true)
    server.advance(601)
    server.settings.isMisplaced = true
    _ = try? await book.send(server.page())
    let before = try await told(ada).advice
    _ = try? await book.restore(ada, password: Secret("babbage"))
    #expect(try await told(ada).advice == before)
  }

  @Test func `a token that was sent before an archive is not told as sent for the first time`()
    async throws
  {
    let ada = try await logIn()
    server.advance(601)
    server.settings.lostAnswers = 1
    _ = try? await book.send(server.page())
    let archive = "\(world.path).archive"
    defer { unlink(archive) }
    _ = try await book.archive(to: archive)
    server.advance(60)
    _ = try? await book.send(server.page())
    let told = try await told(ada)
    #expect(told.steps.contains { $0.contains("invalid_grant") }, "\(told)")
    #expect(!told.description.contains("had not sent it before"), "\(told)")
  }

  @Test func `an event of trouble is found before any number of other events`() async throws {
    let ada = try await logIn()
    server.advance(601)
    server.settings.isMisplaced = true
    _ = try? await book.send(server.page())
    let before = try await told(ada)
    for number in 1...70 { try await book.rename(ada, to: "name \(number)") }
    let archive = "\(world.path).archive"
    defer { unlink(archive) }
    _ = try await book.archive(to: archive)
    let after = try await told(ada)
    #expect(after.advice == .checkSettings)
    #expect(after.answer == before.answer)
    #expect(try await BookVerifier(path: world.path).verify(archive: archive).ok)
  }

  @Test func `what came too late and cannot be taken back is not told as taken back`()
    async throws
  {
    let ada = try await logIn()
    server.advance(601)
    await server.gate.shut()
    let renewal = Task { try? await book.send(server.page()) }
    await server.gate.arrival()
    try await book.logOut(ada)
    await server.gate.open()
    _ = await renewal.value
    let told = try await told(ada)
    #expect(told.steps.contains { $0.hasSuffix("Its tokens are not used.") }, "\(told)")
  }
}
