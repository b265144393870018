internal import Testing

/// Renewals whose answer nobody heard, with and without a server that bears with a second try.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct LostAnswerTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
  }

  /// Logs in at a server of its own, with a token that is over.
  private func expired(
    _ environment: [String: String], _ more: [String] = []
  ) throws -> OAuth2Server {
    let server = try OAuth2Server.own(environment)
    try gatebook.logIn(.alice, at: server, by: "oidc", .password, more)
    try server.setAccessLifetime(1)
    _ = try gatebook.object(["refresh"])
    try server.setAccessLifetime(600)
    try server.waitForEndOfAccess(of: .alice)
    return server
  }

  /// Kills a process that renews after the server has acted, before it hears of it, and returns the
  /// fingerprint of the token that is lost.
  private func killAfterActing(_ server: OAuth2Server) throws -> String {
    let answered = try server.refreshes(answered: true).count
    try server.hold(.after)
    let lost = try gatebook.start(["token"])
    try server.wait(forRefreshes: answered + 1, answered: true)
    lost.kill()
    try server.release()
    return try #require(try server.refreshes(answered: true).last?.issued)
  }

  @Test func `without grace a killed renewal ends in a login, honestly`() throws {
    let server = try expired([:])
    let before = try gatebook.kinds().count
    _ = try killAfterActing(server)
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
    #expect(try gatebook.kinds(after: before) == ["refresh.started"])

    let next = try gatebook.run(["token"])
    #expect(next.status == 3)
    #expect(next.output.isEmpty)
    #expect(
      try gatebook.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.failed",
        "session.ended",
      ])
    let current = try gatebook.object(["whoami"])
    #expect(current["state"]?.text == "needsLogin")
    #expect(current["reason"]?.text == "refusedAfterUnknownOutcome")
    // The server took the second use for theft.
    #expect(try server.liveTokens(of: .alice).refresh == 0)
    // It is not sent a third time.
    let sent = try server.refreshes(answered: false).count
    #expect(try gatebook.run(["token"]).status == 3)
    #expect(try server.refreshes(answered: false).count == sent)
    try gatebook.logIn(.alice, at: server)
    #expect(try gatebook.user(at: server) == "alice")
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  @Test func `what was saved by permission logs in again after it`() throws {
    let server = try expired([:], ["--save-credentials"])
    let before = try gatebook.kinds().count
    _ = try killAfterActing(server)
    #expect(try server.isActive(gatebook.token()))
    let kinds = try gatebook.kinds(after: before)
    #expect(
      kinds == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.failed",
        "session.ended", "login.started", "credentials.loaded", "login.succeeded",
        "credentials.saved",
      ])
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
  }

  @Test func `within its grace the server gives the next process the token that was lost`() throws {
    let server = try expired(["GRACE": "600"])
    let before = try gatebook.kinds().count
    let lost = try killAfterActing(server)
    let token = try gatebook.token()
    #expect(try OAuth2Server.fingerprint(of: token) == lost)
    #expect(try server.isActive(token))
    #expect(
      try gatebook.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.succeeded",
      ])
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
    // The session continues from there.
    _ = try gatebook.object(["refresh"])
    #expect(try gatebook.user(at: server) == "alice")
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  @Test(arguments: ["0", "600"])
  func `a renewal that the server never acted on is made up for`(_ grace: String) throws {
    let server = try expired(["GRACE": grace])
    let before = try gatebook.kinds().count
    let arrived = try server.refreshes(answered: false).count
    try server.hold(.before)
    let lost = try gatebook.start(["token"])
    try server.wait(forRefreshes: arrived + 1, answered: false)
    lost.kill()
    try server.stop()
    try server.release()
    try server.startAgain()
    #expect(try server.isActive(gatebook.token()))
    #expect(
      try gatebook.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.succeeded",
      ])
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
  }

  @Test func `an answer that does not come is asked for once more by who asks for it`() throws {
    let server = try expired(["GRACE": "600"])
    let before = try gatebook.kinds().count
    let arrived = try server.refreshes(answered: false).count
    try server.hold(.after)
    let lost = try gatebook.run(["token", "--timeout", "2"])
    #expect(lost.status == 4, "\(lost.errors)")
    #expect(try server.refreshes(answered: false).count == arrived + 1, "not twice in one outage")
    try server.release()
    _ = try gatebook.object(["refresh"])
    let answers = try server.refreshes(answered: true).suffix(2)
    #expect(Set(answers.map(\.issued)).count == 1)
    #expect(Set(answers.map(\.token)).count == 1)
    #expect(try OAuth2Server.fingerprint(of: gatebook.token()) == answers.last?.issued)
    #expect(
      try gatebook.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.succeeded",
      ])
    #expect(try gatebook.user(at: server) == "alice")
  }
}
