import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Which uses of tokens are found, on histories that the real book made.
@Suite struct TokenFindingsTests {
  @Test func `a refresh token that was sent twice is found, with the end that it came to`()
    async throws
  {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    stage.server.settings.lostAnswers = 1
    await stage.use()
    stage.server.advance(3)
    await stage.use()
    let findings = try await stage.book.findings()
    #expect(findings.map(\.rule) == [.tokenReuse])
    let finding = try #require(findings.first)
    #expect(finding.severity == .warning)
    #expect(finding.account == stage.account)
    #expect(finding.count == 2)
    #expect(
      FindingsStage.words(finding)
        == "A refresh token was sent for the second time, because no answer to an earlier use was "
        + "recorded. The server then rejected it.")
  }

  @Test func `a token that a person has sent a third time is one finding, told so`() async throws {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    stage.server.settings.lostQuestions = 2
    await stage.use()
    stage.server.advance(3)
    await stage.use()
    _ = try await stage.book.renewNow(stage.account, evenIfUsedUp: true)
    let findings = try await stage.book.findings()
    #expect(
      findings.map { FindingsStage.words($0) } == [
        "A refresh token was sent for the third time, because no answer to an earlier use was recorded."
      ])
    #expect(findings.map(\.count) == [2])
    #expect(findings.first?.remedy.contains("copy of the book") == false)
    var filter = EventFilter()
    filter.kind = EventKind.refreshStarted.rawValue
    let last = try #require(try BookReader.open(at: stage.world.path).events(filter).last)
    let explanation = try #require(try BookReader.open(at: stage.world.path).why(last.position))
    let why = Told(explanation)
    #expect(why.answer.hasSuffix(", for the third time."), "\(why)")
  }

  @Test func `a token sent again after an unreadable answer is a finding that names that cause`()
    async throws
  {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    stage.server.settings.answer = HTTPReply(status: 200, body: Array("{}".utf8))
    await stage.use()
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(
      FindingsStage.words(finding)
        == "A refresh token was sent for the second time, because the answer to an earlier use could not be read."
    )
  }

  @Test func `a token that a dead process had sent is described as that`() async throws {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    try await stage.book.leaveIntent(of: stage.account)
    await stage.use()
    let finding = try #require(try await stage.findings(.tokenReuse).first)
    #expect(
      FindingsStage.words(finding)
        == "A refresh token may have been sent for the second time, because an earlier process was about "
        + "to send it and ended without recording an answer.")
    #expect(finding.remedy.contains("copy of the book") == false)
  }

  @Test(arguments: [
    ("refresh_token_reused", "error", true), ("refresh_token_already_used", "error", true),
    ("refresh_token_reused", "error_code", true), ("invalid_grant", "error", false),
    ("temporarily_unavailable", "error", false),
  ])
  func `a reuse that the server tells is an alarm`(
    _ error: String, _ member: String, _ isFound: Bool
  ) async throws {
    let stage = try await FindingsStage()
    stage.server.advance(601)
    stage.server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"\#(member)":"\#(error)"}"#.utf8))
    await stage.use()
    let findings = try await stage.findings(.tokenReuse)
    #expect(findings.map(\.severity) == (isFound ? [.alarm] : []))
    guard let finding = findings.first else { return }
    #expect(
      FindingsStage.words(finding)
        == "The server says that a refresh token was used more than once (\(error)). It may have been stolen."
    )
    #expect(finding.account == stage.account)
    #expect(finding.remedy.contains("copy of the book"))
  }

  @Test(arguments: [0, 1, 2])
  func `that all tokens of a login die at once is an alarm, and that one ran out is none`(
    _ renewals: Int
  ) async throws {
    let stage = try await FindingsStage()
    for _ in 0..<renewals {
      stage.server.advance(500)
      _ = try await stage.book.renewNow(stage.account)
    }
    // What was not used for long is over: nobody has stolen it.
    let idle = try await FindingsStage()
    idle.server.advance(601)
    idle.server.forgetRefreshTokens()
    await idle.use()
    #expect(try await idle.findings(.tokenReuse).isEmpty)
    stage.server.endTokens()
    stage.server.forgetRefreshTokens()
    await stage.use()
    let findings = try await stage.findings(.tokenReuse)
    #expect(findings.map(\.severity) == [.alarm])
    #expect(FindingsStage.words(findings.first)?.contains("had not sent before") == true)
    #expect(findings.first?.remedy.contains("revoked on purpose") == true)
    _ = try await stage.book.logIn(stage.server.method())
    let later = try await stage.findings(.tokenReuse)
    #expect(later.map(\.severity) == [.warning])
    #expect(later.first?.positions == findings.first?.positions)
    #expect(FindingsStage.words(later.first)?.hasSuffix("has logged in again since.") == true)
  }

  @Test func `a refresh token that was exchanged before is found`() async throws {
    let stage = try await FindingsStage()
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
    let stage = try await FindingsStage(lifetime: .seconds(2))
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
    let stage = try await FindingsStage(lifetime: .seconds(2))
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
}
