internal import Testing

/// Sessions by OpenID Connect while the server is away, and sessions that the server ends.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct GrantSurvivalTests {
  private let gatebook: GatebookTool
  private let server: OAuth2Server

  init() throws {
    gatebook = try GatebookTool()
    server = try .own()
  }

  @Test(arguments: [OAuth2Server.Application.page, .password])
  func `a session outlives the process and the server`(
    _ application: OAuth2Server.Application
  ) throws {
    let account = try gatebook.logIn(.alice, at: server, by: "oidc", application)
    let before = try gatebook.kinds().count
    let token = try gatebook.token()
    try server.stop()
    #expect(try gatebook.object(["restore"])["state"]?.text == "offline")
    #expect(try gatebook.token() == token)
    let (status, error) = try gatebook.failure(["refresh"])
    #expect(status == 4)
    #expect(error["code"]?.text == "network.unreachable")
    #expect(try gatebook.object(["whoami"])["id"]?.text == account["id"]?.text)
    try server.startAgain()
    #expect(try gatebook.user(at: server) == "alice")
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    // How often it tries in its time is chance.
    let kinds = try gatebook.kinds(after: before)
    let tries = kinds.count { $0 == "refresh.deferred" }
    let deferred = (0..<tries).flatMap { _ in ["refresh.started", "refresh.deferred"] }
    #expect(tries > 0)
    #expect(kinds == ["session.restored"] + deferred + ["session.verified"])
  }

  @Test func `a logout that the server did not hear reaches it later`() throws {
    try gatebook.logIn(.alice, at: server)
    let before = try gatebook.kinds().count
    let token = try gatebook.token()
    try server.stop()
    #expect(try gatebook.run(["logout"]).status == 0)
    #expect(try gatebook.object(["whoami"])["state"]?.text == "ended")
    try server.startAgain()
    #expect(try server.isActive(token))
    #expect(try gatebook.run(["sync"]).status == 0)
    #expect(try !server.isActive(token))
    #expect(try server.liveTokens(of: .alice) == (access: 0, refresh: 0))
    #expect(
      try gatebook.kinds(after: before) == [
        "logout.requested", "logout.completed", "revocation.queued", "revocation.succeeded",
      ])
  }

  @Test func `tokens that the server's owner ends need a login, and the account stays`() throws {
    let account = try gatebook.logIn(.alice, at: server)
    let before = try gatebook.kinds().count
    #expect(try server.revokeTokens(of: .alice) == 1)
    #expect(try gatebook.run(["request", server.checkURL]).status == 3)
    let current = try gatebook.object(["whoami"])
    #expect(current["state"]?.text == "needsLogin")
    #expect(current["reason"]?.text == "refused")
    #expect(
      try gatebook.kinds(after: before) == ["refresh.started", "refresh.failed", "session.ended"])
    // What is over is not asked for again.
    let sent = try server.requests().count
    #expect(try gatebook.run(["request", server.checkURL]).status == 3)
    #expect(try server.requests().count == sent)
    let again = try gatebook.logIn(.alice, at: server)
    #expect(again["id"]?.text == account["id"]?.text)
    #expect(try gatebook.user(at: server) == "alice")
  }

  /// The server's usual word for a token that is over is a 403 without any.
  @Test func `a refusal that does not speak of the token ends nothing`() throws {
    try gatebook.logIn(.alice, at: server)
    let before = try gatebook.kinds().count
    #expect(try server.expireTokens(of: .alice) == 1)
    #expect(try gatebook.run(["request", "--fail", server.base + "/api/bare"]).status == 1)
    #expect(try gatebook.kinds(after: before) == ["request.refused"])
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    #expect(try gatebook.user(at: server) == "alice")
    #expect(
      try gatebook.kinds(after: before + 1) == [
        "refresh.started", "refresh.succeeded", "session.verified",
      ])
    #expect(
      try gatebook.run(["request", "--fail", server.base + "/api/bare"]).output.contains("alice"))
  }

  @Test func `a scope that is missing is no reason to renew`() throws {
    _ = try gatebook.object(
      server.login("oidc", .password, ["--user", "alice"], scopes: "write"),
      answers: ["alice-pass-1", OAuth2Server.Application.password.secret ?? ""])
    let before = try gatebook.kinds().count
    #expect(try gatebook.run(["request", "--fail", server.checkURL]).status == 1)
    #expect(try server.requests().filter { $0.path == "/api/me" }.map(\.status) == [403])
    #expect(try gatebook.kinds(after: before) == ["challenge.received"], "for more scopes")
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
  }
}
