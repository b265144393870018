import Gatebook
import Testing

@testable import GatebookFakes

@Suite struct SecurityCheckStateTests {
  /// A script with the answers that are due, for one kind of settings.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var settings: SecurityCheckScript.Settings
    var steps: [(String, String)]

    init(
      _ description: String, _ settings: SecurityCheckScript.Settings = .sample,
      _ steps: (String, String)...
    ) {
      testDescription = description
      self.settings = settings
      self.steps = steps
    }

    func check() -> Bool {
      SecurityCheckScript.run(steps.map { $0.0 }, by: settings.settings) == steps.map { $0.1 }
    }
  }

  @Test(arguments: [
    Case("a challenge first shows all", .sample, ("0 -", "ask3"), ("1 x", "wrong2")),
    Case("a wrong first contact shows one less", .sample, ("0 x", "wrong2"), ("5 -", "wrong2")),
    Case(
      "a block of 10 s", .sample, ("0 -", "ask3"), ("1 x", "wrong2"), ("2 x", "wrong1"),
      ("3 x", "blocked"), ("10002 j", "blocked"), ("10003 j", "ok10003")),
    Case(
      "a block that was not seen", .sample, ("0 x", "wrong2"), ("0 x", "wrong1"),
      ("0 x", "blocked"), ("9999 -", "blocked"), ("10000 -", "ask3")),
    Case(
      "the window does not slide", .sample, ("0 -", "ask3"), ("60000 x", "wrong2"),
      ("119999 x", "wrong1"), ("120000 -", "ask3"), ("120001 x", "wrong2")),
    Case(
      "a wrong answer after the window", .sample, ("0 x", "wrong2"), ("120000 x", "wrong2")),
    Case(
      "a right answer clears the count", .sample, ("0 x", "wrong2"), ("1 x", "wrong1"),
      ("2 j", "ok2"), ("60002 -", "ask3")),
    Case(
      "a block of no length is over at once", .base, ("0 -", "ask1"), ("0 x", "ask1"),
      ("1 x", "ask1"), ("2 j", "ok2"), ("3600001 -", "ok2"), ("3600002 -", "ask1")),
  ])
  func `attempts are counted and block`(_ script: Case) {
    #expect(script.check())
  }

  @Test(arguments: [
    Case("it does not slide", .sample, ("0 j", "ok0"), ("59999 -", "ok0"), ("60000 -", "ask3")),
    Case(
      "logging in again does not lengthen it", .sample, ("0 j", "ok0"), ("30000 j", "ok30000"),
      ("59999 -", "ok30000"), ("60000 -", "ask3")),
    Case(
      "logging in again renews the window", .sample, ("0 r", "ok0"), ("30000 r", "ok30000"),
      ("150000 -", "ok30000")),
    Case(
      "wrong credentials end it", .sample, ("0 j", "ok0"), ("10 x", "wrong2"), ("11 -", "wrong2"),
      ("12 j", "ok12"), ("60011 -", "ok12"), ("60012 -", "ask3")),
    Case(
      "a logout ends it", .sample, ("0 r", "ok0"), ("5000 o", ""), ("6000 -", "ask3")),
    Case(
      "a logout lifts a block", .sample, ("0 x", "wrong2"), ("0 x", "wrong1"), ("0 x", "blocked"),
      ("1 o", ""), ("2 -", "ask3")),
  ])
  func `a success holds for its time`(_ script: Case) {
    #expect(script.check())
  }

  @Test(arguments: [
    Case("an hour-glass", .sample, ("0 r", "ok0"), ("61000 -", "ok0"), ("122000 -", "ask3")),
    Case(
      "the end belongs to it", .sample, ("0 r", "ok0"), ("120000 -", "ok0"), ("179999 -", "ok0"),
      ("180000 -", "ask3")),
    Case("after the end", .sample, ("0 r", "ok0"), ("120001 -", "ask3")),
    Case(
      "a remembered login does not renew it", .sample, ("0 r", "ok0"), ("60000 -", "ok0"),
      ("120000 -", "ok0"), ("180000 -", "ask3")),
    Case("not with credentials", .sample, ("0 r", "ok0"), ("61000 x", "wrong2")),
    Case(
      "not while attempting", .longMemory, ("0 r", "ok0"), ("10 x", "wrong2"),
      ("120009 -", "wrong2"), ("120010 -", "ok0")),
    Case(
      "not while blocked", .longMemory, ("0 r", "ok0"), ("1 x", "wrong2"), ("1 x", "wrong1"),
      ("1 x", "blocked"), ("10000 -", "blocked"), ("10001 -", "ok0")),
    Case("not without the wish", .sample, ("0 j", "ok0"), ("60000 -", "ask3")),
    Case(
      "a login that declines clears it", .sample, ("0 r", "ok0"), ("10 d", "ok10"),
      ("60000 -", "ask3")),
    Case(
      "a login that does not say clears it", .sample, ("0 r", "ok0"), ("10 j", "ok10"),
      ("60000 -", "ask3")),
    Case("a window of no length is none", .noMemory, ("0 r", "ok0"), ("60000 -", "ask3")),
  ])
  func `a login is remembered for a window`(_ script: Case) {
    #expect(script.check())
  }

  @Test(arguments: [2_147_483, 2_147_484, 4_000_000_000])
  func `a long window does not overflow`(_ seconds: Int64) {
    var settings = FakeSecurityCheckSettings.userLoginSample
    settings.rememberMeDuration = .seconds(seconds)
    let steps = ["0 r", "\(seconds * 1000) -"]
    #expect(SecurityCheckScript.run(steps, by: settings) == ["ok0", "ok0"])
  }

  @Test func `settings without end do not overflow`() {
    let forever = Duration.seconds(Int64.max)
    let settings = FakeSecurityCheckSettings(success: forever, rememberMe: forever)
    let steps = ["0 r", "9000000000000 -"]
    #expect(SecurityCheckScript.run(steps, by: settings) == ["ok0", "ok0"])
  }
}
