import GatebookTestSupport
import Testing

@testable import Gatebook

/// What the rules find, on histories that the real book made.
@Suite struct FindingsTests {
  /// A book and an account that lives by refresh tokens.
  private struct Stage {
    let world: TestBook
    let server: TokenServer
    let book: SessionBook
    let account: AccountID

    init(lifetime: Duration = .seconds(600)) async throws {
      world = try TestBook()
      server = TokenServer(world.clock)
      server.settings.lifetime = lifetime
      book = try await world.open(server.transport)
      account = try await book.logIn(server.method()).account
    }

    func use() async { _ = try? await book.send(server.page(), as: account) }

    func findings(_ rule: FindingRule) async throws -> [Finding] {
      try await book.findings().filter { $0.rule == rule }
    }
  }

  private static func words(_ finding: Finding?) -> String? { finding?.title.text { _ in "T" } }

  @Test func `nothing is found where nothing is wrong`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    await stage.use()
    #expect(try await stage.book.findings().isEmpty)
  }

  // MARK: Passwords

  /// Tries wrong passwords, so many seconds apart.
  private func guess(_ book: SessionBook, _ clock: FixedClock, times: Int, apart: Int) async throws
  {
    for _ in 1...times {
      _ = try? await book.logIn(.basic(password: "wrong"))
      clock.advance(by: .seconds(apart))
    }
  }

  @Test(arguments: [(4, 60, 0), (5, 60, 1), (9, 60, 1), (20, 160, 0)])
  func `five refused passwords within ten minutes are found`(
    times: Int, apart: Int, found: Int
  ) async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    try await guess(book, world.clock, times: times, apart: apart)
    let findings = try await book.findings()
    #expect(findings.count == found)
    guard let finding = findings.first else { return }
    #expect(finding.rule == .passwordGuessing)
    #expect(finding.severity == .alarm)
    #expect(finding.account == nil)
    #expect(finding.count == Int64(times))
    var filter = EventFilter()
    filter.kind = EventKind.loginStarted.rawValue
    let fingerprint = try #require(
      try BookReader.open(at: world.path).events(filter).first?.data["name"]?.text)
    #expect(
      Self.words(finding)
        == "For one name at http://127.0.0.1:8080, a password was refused \(times) times "
        + "in quick succession. The name is not kept; its fingerprint is \(fingerprint.prefix(8))…."
    )
    for position in finding.positions {
      #expect(try BookReader.open(at: world.path).event(at: position)?.isKind(.loginFailed) == true)
    }
  }

  @Test func `two attacks are two findings, and those on an account are the account's`()
    async throws
  {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    for _ in 1...2 {
      try await guess(book, world.clock, times: 6, apart: 10)
      world.clock.advance(by: .seconds(3600))
    }
    let findings = try await book.findings()
    #expect(findings.map(\.rule) == [.passwordGuessing, .passwordGuessing])
    #expect(findings.map(\.account) == [ada.account, ada.account])
    #expect(findings.map(\.count) == [6, 6])
    #expect(try await book.findings(of: ada.account) == findings)
    let second = try #require(findings.last)
    #expect(try await book.findings(since: second.first) == [second])
    #expect(try await book.findings(until: second.first) == findings.dropLast())
    #expect(try await book.findings(until: findings[0].first).isEmpty)
    #expect(try await book.findings(of: AccountID(high: 1, low: 1)).isEmpty)
  }

  @Test func `guesses of another name for an account are the name's`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.account = try await book.logIn(.basic()).account
    for _ in 1...3 {
      _ = try? await book.logIn(.basic(user: "bob", password: "wrong"), options: options)
      _ = try? await book.logIn(.basic(user: "bob", password: "wrong"))
    }
    let findings = try await book.findings()
    #expect(findings.map(\.count) == [6])
    #expect(Self.words(findings.first)?.hasPrefix("For one name at http://127.0.0.1:8080") == true)
  }

  @Test func `guesses of different names do not add up`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    for number in 1...20 {
      _ = try? await book.logIn(.basic(user: "user\(number % 5)", password: "wrong"))
    }
    #expect(try await book.findings().isEmpty)
  }

  /// Answers a security check wrongly as the command line does: one answer, and then no more.
  private func misanswer(_ world: MobileFirstWorld, _ account: AccountID? = nil) async throws {
    let manager = try await world.manager(account)
    do throws(GatebookError) {
      try await manager.authenticate(.user("john", "x"), check: "UserLogin")
    } catch {
      await manager.giveUp("UserLogin", because: error)
    }
  }

  @Test(arguments: [4, 5])
  func `refused answers to security checks are found, each counted once`(times: Int) async throws {
    let world = try await MobileFirstWorld()
    for _ in 1...times { try await misanswer(world) }
    let failures = try await world.events(.challengeFailed, .loginFailed)
    #expect(failures.count == 2 * times)
    let findings = try await world.book.findings()
    #expect(findings.map(\.rule) == (times < 5 ? [] : [.passwordGuessing]))
    #expect(findings.first.map { $0.count == 5 && $0.account == nil } ?? true)
    let names = try await world.events(.loginStarted).map { $0.data["name"]?.text }
    #expect(Set(names).count == 1)
    #expect(names.first??.count == 32)
  }

  @Test func `refused answers of a known account are the account's`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    _ = try await world.book.logOut(account)
    for _ in 1...3 {
      for _ in 1...2 { try await misanswer(world, account) }
      // The third one in 120 s would block the check.
      world.pass(130)
    }
    let findings = try await world.book.findings()
    #expect(findings.map(\.rule) == [.passwordGuessing])
    #expect(findings.first?.account == account)
  }

  // MARK: Tokens

  @Test func `a refresh token that was sent twice is found, with the end that it came to`()
    async throws
  {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.settings.lostAnswers = 1
    await stage.use()
    let findings = try await stage.book.findings()
    #expect(findings.map(\.rule) == [.tokenReuse])
    let finding = try #require(findings.first)
    #expect(finding.severity == .warning)
    #expect(finding.account == stage.account)
    #expect(finding.count == 2)
    #expect(
      Self.words(finding)
        == "A refresh token was sent for the second time, for no answer had come to it before. "
        + "The server then refused it.")
  }

  @Test func `a token that a person has sent a third time is one finding, told so`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.settings.lostQuestions = 2
    await stage.use()
    _ = try await stage.book.renewNow(stage.account, evenIfUsedUp: true)
    let findings = try await stage.book.findings()
    #expect(
      findings.map { Self.words($0) } == [
        "A refresh token was sent for the third time, for no answer had come to it before."
      ])
    #expect(findings.map(\.count) == [2])
    #expect(findings.first?.remedy.contains("copy of the book") == false)
    var filter = EventFilter()
    filter.kind = EventKind.refreshStarted.rawValue
    let last = try #require(try BookReader.open(at: stage.world.path).events(filter).last)
    let explanation = try #require(try BookReader.open(at: stage.world.path).why(last.position))
    let why = Told(explanation)
    #expect(why.answer.hasSuffix(", now for the third time."), "\(why)")
  }

  @Test func `a token that a dead process had sent is told so`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    try await stage.book.leaveIntent(of: stage.account)
    await stage.use()
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(
      Self.words(finding)
        == "A refresh token may have been sent for the second time, for whoever was to send it before was gone "
        + "without recording an answer.")
    #expect(finding.remedy.contains("copy of the book") == false)
  }

  @Test func `a refresh token that was exchanged before is found`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    await stage.use()
    var filter = EventFilter()
    filter.kind = EventKind.refreshStarted.rawValue
    let events = try BookReader.open(at: stage.world.path).events(filter)
    let spent = try #require(events.first?.data["fingerprint"])
    // Who runs an old copy of the book sends what it has.
    let session = try await stage.book.requireSession(of: stage.account)
    try await stage.book.commit(
      Append([session.event(.refreshStarted, data: ["attempt": 1, "fingerprint": spent])]))
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(finding.severity == .alarm)
    #expect(finding.count == 1)
    #expect(finding.remedy.contains("copy of the book"))
  }

  @Test(arguments: [(9, 3, 0), (10, 3, 1), (25, 3, 1), (30, 8, 0)])
  func `ten renewals within a minute are found`(times: Int, apart: Int, found: Int) async throws {
    let stage = try await Stage(lifetime: .seconds(2))
    for _ in 1...times {
      stage.server.advance(apart)
      await stage.use()
    }
    let findings = try await stage.findings(.refreshStorm)
    #expect(findings.count == found)
    guard let finding = findings.first else { return }
    #expect(finding.account == stage.account)
    #expect(finding.count == Int64(times))
    #expect(finding.positions.count == min(times, Finding.mostPositions))
    #expect(finding.positions == finding.positions.sorted())
  }

  @Test func `an outage is no storm, however often somebody tries`() async throws {
    let stage = try await Stage(lifetime: .seconds(2))
    stage.server.settings.isDown = true
    for _ in 1...20 {
      stage.server.advance(3)
      await stage.use()
    }
    var filter = EventFilter()
    filter.kind = EventKind.refreshStarted.rawValue
    #expect(try BookReader.open(at: stage.world.path).events(filter).count >= 20)
    #expect(try await stage.book.findings().isEmpty)
  }

  // MARK: What lasts

  @Test func `a session that nobody has used for a month is found until it ends`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    world.clock.advance(by: .seconds(29 * 86_400))
    #expect(try await book.findings().isEmpty)
    world.clock.advance(by: .seconds(86_400))
    let finding = try #require(try await book.findings(since: world.clock.now().wall).first)
    #expect(finding.rule == .endlessSession)
    #expect(finding.account == ada.account)
    // Of a time that is past nothing is told that is so now.
    #expect(try await book.findings(until: world.clock.now().wall).isEmpty)
    #expect(try await book.findings(until: world.clock.now().wall + .seconds(1)) == [finding])
    try await book.logOut(ada.account)
    #expect(try await book.findings().isEmpty)
  }

  @Test func `credentials that are saved under a key beside the book are found`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(.basic(), options: options)
    let finding = try #require(try await book.findings().first)
    #expect(finding.rule == .weakKey)
    #expect(finding.severity == .warning)
    #expect(finding.account == ada.account)
    #expect(
      Self.words(finding)
        == "Credentials are saved, and the key that seals them is in a file beside the book.")
    // What was saved is in the archive, and is saved all the same.
    _ = try await book.archive(to: world.path + ".archive")
    let behind = try #require(try await book.findings().first)
    #expect(behind.title == finding.title)
    #expect(behind.account == ada.account)
    #expect(try await book.findings(of: ada.account) == [behind])
    _ = try await book.removeCredentials(of: ada.account)
    #expect(try await book.findings().isEmpty)
  }

  // MARK: Decisions and clocks

  @Test func `what somebody decided to trust is found`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.allowsCleartext = true
    options.origins = [
      Origin(scheme: "https", host: "files.example", port: 443),
      Origin(scheme: "http", host: "old.example", port: 80),
    ]
    let ada = try await book.logIn(.basic(), options: options)
    let findings = try await book.findings()
    #expect(findings.allSatisfy { $0.rule == .trustDecision && $0.account == ada.account })
    let told = findings.map { "\($0.severity) \(Self.words($0) ?? "")" }
    #expect(
      Set(told) == [
        "note The account's credentials may go to https://files.example:443, too.",
        "note The account's credentials may go to http://old.example:80, too.",
        "warning The user allowed passwords in cleartext to old.example:80.",
      ], "\(told)")
  }

  @Test func `a clock that jumped is found`() async throws {
    let stage = try await Stage()
    stage.server.advance(300)
    stage.world.clock.jump(by: .seconds(7200))
    stage.server.advance(301)
    await stage.use()
    let findings = try await stage.findings(.clockJump)
    #expect(
      findings.map { Self.words($0) }.contains(
        "The clock of this machine jumped forward by 2 h."), "\(findings)")
  }

  @Test func `a clock that jumps again and again is one finding`() async throws {
    let stage = try await Stage()
    let session = try await stage.book.requireSession(of: stage.account)
    for jump in [Int64(90), -7200, 59, 600] {
      try await stage.book.commit(
        Append([session.event(.clockObserved, data: ["jump": .integer(jump * 1_000_000)])]))
    }
    for offset in [Int64(-61), 30, 120] {
      try await stage.book.commit(
        Append([session.event(.clockObserved, data: ["offset": .integer(offset * 1_000_000)])]))
    }
    let findings = try await stage.findings(.clockJump)
    #expect(
      findings.map { Self.words($0) } == [
        "The clock of this machine jumped 3 times, at most back by 2 h.",
        "The server's clock was found away from the one of this machine 2 times, at most 2 min ahead of it.",
      ])
    #expect(findings.map(\.count) == [3, 2])
    #expect(findings.map(\.severity) == [.warning, .note])
  }

  // MARK: Long logs

  @Test func `a long log is read in parts and finds the same`() async throws {
    let stage = try await Stage()
    let session = try await stage.book.requireSession(of: stage.account)
    func fill() async throws {
      let events = (1...900).map { session.event(.cookiesChanged, data: ["n": .integer($0)]) }
      try await stage.book.commit(Append(events))
    }
    try await fill()
    stage.server.advance(601)
    stage.server.settings.lostAnswers = 1
    await stage.use()
    try await fill()
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(finding.count == 2)
    let own = try await stage.book.findings(of: stage.account)
    #expect(try await stage.book.findings() == own)
  }
}
