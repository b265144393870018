internal import Foundation
internal import Testing

/// Logins with OpenID Connect, and with OAuth 2 whose endpoints are given by hand.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct GrantLoginTests {
  /// One way to log in, with a person of its own and the log that it leaves.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: String
    let application: OAuth2Server.Application
    let person: Person
    let story: [String]

    var testDescription: String { "\(command) \(application.flow)" }

    /// Under which name the account is kept: the server's, or where it names nobody what was typed;
    /// an application's own login goes by the application's.
    var user: String { application == .machine ? application.rawValue : person.name }

    /// The server gives these flows their first ID token with a refresh: it is checked then.
    var vouched: [String] {
      command == "oidc" && [.device, .password].contains(application) ? ["session.verified"] : []
    }

    /// Whom the server sees.
    var speaker: String? { application == .machine ? nil : person.name }
  }

  private static let begun = ["book.created", "login.started"]
  private static let asked = ["challenge.received", "challenge.answered"]

  private static let rows = [
    Row(
      command: "oidc", application: .page, person: .zofie,
      story: begun + asked
        + ["account.added", "login.succeeded", "attributes.changed", "account.switched"]),
    Row(
      command: "oidc", application: .device, person: .numbered(1),
      story: begun + asked
        + ["account.added", "login.succeeded", "attributes.changed", "account.switched"]),
    Row(
      command: "oidc", application: .password, person: .numbered(2),
      story: begun
        + ["account.added", "login.succeeded", "attributes.changed", "account.switched"]),
    Row(
      command: "oidc", application: .machine, person: .numbered(3),
      story: begun + ["account.added", "login.succeeded", "account.switched"]),
    Row(
      command: "oauth2", application: .page, person: .numbered(4),
      story: begun + asked + ["account.added", "login.succeeded", "account.switched"]),
    Row(
      command: "oauth2", application: .device, person: .numbered(5),
      story: begun + asked + ["account.added", "login.succeeded", "account.switched"]),
    Row(
      command: "oauth2", application: .password, person: .numbered(6),
      story: begun + asked + ["account.added", "login.succeeded", "account.switched"]),
    Row(
      command: "oauth2", application: .machine, person: .numbered(7),
      story: begun + ["account.added", "login.succeeded", "account.switched"]),
  ]

  private let gatebook: GatebookTool
  private let server: OAuth2Server

  init() throws {
    gatebook = try GatebookTool()
    server = try .shared()
  }

  /// Every command is a process of its own, which knows what the book knows.
  @Test(arguments: rows)
  func `a login, a refresh and a logout do what they say`(_ row: Row) throws {
    let account = try gatebook.logIn(row.person, at: server, by: row.command, row.application)
    #expect(account["method"]?.text == row.command)
    #expect(account["state"]?.text == "active")
    #expect(account["user"]?.text == row.user)
    #expect(try gatebook.kinds() == row.story)
    #expect(try gatebook.user(at: server) == row.speaker)
    let first = try gatebook.token()
    #expect(try server.isActive(first))
    #expect(try gatebook.token() == first)

    #expect(try gatebook.object(["refresh"])["id"]?.text == account["id"]?.text)
    let second = try gatebook.token()
    #expect(second != first)
    // An application's own token is not replaced: it gets another one.
    #expect(try server.isActive(first) == (row.application == .machine))
    #expect(try server.isActive(second))
    #expect(try gatebook.user(at: server) == row.speaker)
    let current = try gatebook.object(["whoami"])
    #expect(current["user"]?.text == row.user)
    #expect(current["state"]?.text == "active")
    #expect(
      current["attributes"]?.object?["preferred_username"]?.text
        == (row.command == "oidc" ? row.speaker : nil))

    #expect(try gatebook.run(["logout"]).status == 0)
    #expect(try !server.isActive(second))
    if row.application != .machine {
      #expect(try server.liveTokens(of: row.person) == (access: 0, refresh: 0))
    }
    #expect(try gatebook.run(["request", server.checkURL]).status == 3)
    #expect(try gatebook.run(["token"]).status == 3)
    #expect(
      try gatebook.kinds(after: row.story.count)
        == ["refresh.started", "refresh.succeeded"] + row.vouched
        + ["logout.requested", "logout.completed"])
    #expect(try gatebook.files(holding: [first, second, row.person.password]).isEmpty)
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  @Test func `where no page names the user, introspection proves a login and a session`() throws {
    let account = try gatebook.object(
      [
        "login", "oauth2", "--token-url", server.tokenURL, "--introspect-url", server.introspectURL,
        "--revoke-url", server.revokeURL, "--client-id", "gatebook-password", "--client-auth",
        "basic", "--flow", "password", "--user", Person.bob.name, "--scopes", "read",
        "--password-stdin", "--json",
      ], answers: [Person.bob.password, OAuth2Server.Application.password.secret ?? ""])
    #expect(account["user"]?.text == "bob")
    let facts = try #require(try gatebook.facts(of: "login.succeeded").first)
    #expect(facts["evidence"]?.text == "identity")
    #expect(try gatebook.run(["restore"]).status == 0)
    #expect(try gatebook.run(["sync"]).status == 0)
    #expect(try gatebook.kinds().suffix(2) == ["session.restored", "session.verified"])
    #expect(try gatebook.object(["refresh"])["state"]?.text == "active")
    let token = try gatebook.token()
    #expect(try gatebook.run(["logout"]).status == 0)
    #expect(try !server.isActive(token))
  }

  @Test func `the page asks with PKCE and leads back to a port of this machine`() throws {
    let login = try gatebook.start(server.login("oidc", .page))
    let page = try login.page()
    let asked = URLComponents(string: page)?.queryItems ?? []
    func value(_ name: String) -> String? { asked.first { $0.name == name }?.value }
    #expect(page.hasPrefix(server.authorizeURL + "?"))
    #expect(value("code_challenge_method") == "S256")
    #expect(value("scope") == "openid read")
    #expect(value("nonce") != nil)
    let redirect = try #require(value("redirect_uri"))
    #expect(redirect.hasPrefix("http://127.0.0.1:"))
    let arrived = try Person.bob.visit(page, following: true)
    #expect(arrived.hasPrefix(redirect + "?"))
    #expect(try login.end().status == 0)
    let items = URLComponents(string: arrived)?.queryItems ?? []
    let secrets = try ["code", "state"].map { name in
      try #require(items.first { $0.name == name }?.value)
    }
    #expect(try gatebook.files(holding: secrets).isEmpty)
  }

  @Test func `a redirect that arrived elsewhere finishes the login, once`() throws {
    let lost = try gatebook.start(
      server.login("oidc", .page, ["--redirect", "com.example.gatebook:/callback"]))
    let page = try lost.page()
    lost.kill()
    let redirect = try Person.bob.visit(page)
    #expect(redirect.hasPrefix("com.example.gatebook:/callback?"))
    let account = try gatebook.object(["login", "--callback", "-"], answers: [redirect])
    #expect(account["user"]?.text == "bob")
    #expect(try gatebook.user(at: server) == "bob")
    let (status, error) = try gatebook.failure(["login", "--callback", redirect])
    #expect(status == 1)
    #expect(error["code"]?.text == "state.mismatch")
    #expect(try gatebook.user(at: server) == "bob")
  }

  @Test(arguments: [OAuth2Server.Application.page, .device])
  func `a person who denies ends the login and nothing else`(
    _ application: OAuth2Server.Application
  ) throws {
    let first = try gatebook.logIn(.numbered(8), at: server)
    let login = try gatebook.start(server.login("oidc", application))
    let code = application == .device ? try login.code() : nil
    try Person.bob.visit(
      login.page(), entering: code, allowing: false, following: application == .page)
    let ending = try login.end()
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(try gatebook.kinds().last == "login.failed")
    #expect(
      try gatebook.facts(of: "login.failed").map { $0["code"]?.text } == ["challenge.cancelled"])
    #expect(try gatebook.lines(["accounts"]).map { $0["id"]?.text } == [first["id"]?.text])
    #expect(try gatebook.user(at: server) == "user-08")
  }

  @Test(arguments: ["oidc", "oauth2"])
  func `a wrong password makes no account`(_ command: String) throws {
    let (status, error) = try gatebook.failure(
      server.login(command, .password, ["--user", "alice"]),
      answers: ["not-it", OAuth2Server.Application.password.secret ?? ""])
    #expect(status == 3)
    #expect(error["code"]?.text == "credentials.refused")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }

  @Test(arguments: [OAuth2Server.Application.password, .machine])
  func `a wrong secret of the application is no wrong person`(
    _ application: OAuth2Server.Application
  ) throws {
    let isPassword = application == .password
    let (status, error) = try gatebook.failure(
      server.login("oidc", application, isPassword ? ["--user", "alice"] : []),
      answers: (isPassword ? ["alice-pass-1"] : []) + ["not-it"])
    #expect(status == 1)
    #expect(error["code"]?.text == "configuration.invalid")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }

  /// The ID tokens of this server's refreshes tell when the person last logged in anywhere.
  @Test func `a login of the same person elsewhere does not disturb a session`() throws {
    let person = Person.numbered(11)
    let elsewhere = try GatebookTool()
    try gatebook.logIn(person, at: server, by: "oidc", .page)
    let before = try gatebook.kinds().count
    try elsewhere.logIn(person, at: server, by: "oidc", .page)
    #expect(try gatebook.object(["refresh"])["state"]?.text == "active")
    #expect(try elsewhere.object(["refresh"])["state"]?.text == "active")
    #expect(try gatebook.user(at: server) == person.name)
    #expect(try elsewhere.run(["logout"]).status == 0)
    #expect(try gatebook.user(at: server) == person.name)
    #expect(try gatebook.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
    #expect(try server.liveTokens(of: person) == (access: 1, refresh: 1))
  }

  @Test func `two people in one book stay apart`() throws {
    for (person, label) in [(Person.numbered(9), "one"), (.numbered(10), "two")] {
      try gatebook.logIn(person, at: server, by: "oidc", .password, ["--label", label])
    }
    #expect(try gatebook.user(at: server) == "user-10")
    #expect(try gatebook.user(at: server, ["--account", "one"]) == "user-09")
    #expect(try gatebook.object(["switch", "one"])["user"]?.text == "user-09")
    #expect(try gatebook.user(at: server) == "user-09")
    #expect(try gatebook.run(["logout"]).status == 0)
    #expect(try gatebook.user(at: server) == "user-10")
    #expect(try server.liveTokens(of: .numbered(9)) == (access: 0, refresh: 0))
    #expect(try server.liveTokens(of: .numbered(10)) == (access: 1, refresh: 1))
  }
}
