internal import Testing

@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct SeveralAccountsTests {
  private let gatebook: GatebookTool
  private let apache: ApacheServer

  init() throws {
    gatebook = try GatebookTool()
    apache = try .shared()
  }

  @Test(arguments: ServerLogin.Method.allCases)
  func `each request goes out as the account it names`(_ method: ServerLogin.Method) throws {
    let path = method == .http ? "/basic/" : "/form/"
    for user in ["alice", "bob"] {
      let login = ServerLogin(method: method, path: path, user: user, password: "\(user)-pass-1")
      _ = try gatebook.object(
        login.command(apache) + ["--label", "\(user) at work"], answers: [login.password])
    }
    #expect(try gatebook.object(["whoami"])["user"]?.text == "bob")
    try expect("bob", to: path)
    try expect("alice", to: path, as: "alice at work")
    #expect(try gatebook.object(["switch", "alice at work"])["user"]?.text == "alice")
    try expect("alice", to: path)
    try expect("bob", to: path, as: "bob at work")

    let accounts = try gatebook.lines(["accounts"])
    #expect(accounts.map { $0["user"]?.text } == ["alice", "bob"])
    #expect(accounts.map { $0["current"]?.bool } == [true, false])
  }

  @Test func `logging in twice finds the same account`() throws {
    let login = ServerLogin.basic
    let first = try gatebook.object(login.command(apache), answers: [login.password])
    let second = try gatebook.object(login.command(apache), answers: [login.password])
    #expect(first["id"]?.text == second["id"]?.text)
    #expect(try gatebook.lines(["accounts"]).count == 1)
  }

  @Test func `logging out leaves the other account alone`() throws {
    for user in ["alice", "bob"] {
      let login = ServerLogin(
        method: .http, path: "/basic/", user: user, password: "\(user)-pass-1")
      _ = try gatebook.object(login.command(apache), answers: [login.password])
    }
    #expect(try gatebook.run(["logout"]).status == 0)
    let current = try gatebook.object(["whoami"])
    #expect(current["user"]?.text == "alice")
    #expect(current["state"]?.text == "active")
    try expect("alice", to: "/basic/")
  }

  /// Asks for what only this user may read, and what another one may not.
  private func expect(_ user: String, to path: String, as account: String? = nil) throws {
    let selection = account.map { ["--account", $0] } ?? []
    let reply = try gatebook.run(["request", "\(apache.base)\(path)\(user)/"] + selection)
    #expect(reply.status == 0, "\(reply.errors)")
    #expect(reply.output == "only for \(user)\n")
  }
}
