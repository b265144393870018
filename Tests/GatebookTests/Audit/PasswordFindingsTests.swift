import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Which refused passwords are found, on histories that the real book made.
@Suite struct PasswordFindingsTests {
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
      FindingsStage.words(finding)
        == "For one user name, http://127.0.0.1:8080 rejected a password \(times) times in quick "
        + "succession. The name is not recorded; its fingerprint is \(fingerprint.prefix(8))…."
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
    #expect(
      FindingsStage.words(findings.first)?.hasPrefix("For one user name, http://127.0.0.1:8080")
        == true)
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
}
