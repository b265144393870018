import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What the rules find that is about no password and no token, on histories that the real book
/// made.
@Suite struct FindingsTests {
  @Test func `nothing is found where nothing is wrong`() async throws {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    await stage.use()
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
    // For a past time, findings about the present are left out.
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
      FindingsStage.words(finding)
        == "Credentials are saved, and the key that encrypts them is in a file next to the book.")
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
    let told = findings.map { "\($0.severity) \(FindingsStage.words($0) ?? "")" }
    #expect(
      Set(told) == [
        "note The account's credentials may also be sent to https://files.example:443.",
        "note The account's credentials may also be sent to http://old.example:80.",
        "warning The user allowed passwords to be sent to old.example:80 without TLS.",
      ], "\(told)")
  }

  @Test func `a clock that jumped is found`() async throws {
    let stage = try await FindingsStage()
    stage.server.advance(300)
    stage.world.clock.jump(by: .seconds(7200))
    stage.server.advance(301)
    await stage.use()
    let findings = try await stage.findings(.clockJump)
    #expect(
      findings.map { FindingsStage.words($0) }.contains(
        "This machine's clock jumped forward by 2 h."), "\(findings)")
  }

  @Test func `a clock that jumps again and again is one finding`() async throws {
    let stage = try await FindingsStage()
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
      findings.map { FindingsStage.words($0) } == [
        "This machine's clock jumped 3 times, at most back by 2 h.",
        "The server's clock differed from this machine's 2 times, at most 2 min ahead of it.",
      ])
    #expect(findings.map(\.count) == [3, 2])
    #expect(findings.map(\.severity) == [.warning, .note])
  }

  // MARK: Long logs

  @Test func `a long log is read in parts and finds the same`() async throws {
    let stage = try await FindingsStage()
    let session = try await stage.book.requireSession(of: stage.account)
    func fill() async throws {
      let events = (1...900).map { session.event(.cookiesChanged, data: ["n": .integer($0)]) }
      try await stage.book.commit(Append(events))
    }
    try await fill()
    stage.server.advance(601)
    stage.server.settings.lostAnswers = 1
    await stage.use()
    stage.server.advance(3)
    await stage.use()
    try await fill()
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(finding.count == 2)
    let own = try await stage.book.findings(of: stage.account)
    #expect(try await stage.book.findings() == own)
  }
}
