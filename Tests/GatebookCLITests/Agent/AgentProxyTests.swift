internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The agent as a proxy for all accounts of its book.
struct AgentProxyTests {
  private let stage: AgentScene
  private let servers: [LoopbackServer]

  init() throws {
    stage = try AgentScene()
    servers = try [PlainServer.start(), PlainServer.start()]
    for (server, label) in zip(servers, ["first", "second"]) {
      let login = try stage.scene.run(
        "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
        "--password-stdin", "--label", label, input: PlainServer.password + "\n")
      try #require(login.exit == 0, "\(login.errors)")
    }
    try stage.start()
  }

  @Test func `a request goes to the account whose server it names`() throws {
    defer { for server in servers { server.stop() } }
    for server in servers {
      let count = server.requests.count
      #expect(try stage.curl(server.url + "/private/notes") == "The notes of ada.\n")
      #expect(server.requests.count > count)
    }
    let named = try stage.curl(
      "-H", "Gatebook-Account: first", "-H", "Authorization: Bearer own",
      servers[0].url + "/private/notes")
    #expect(named == "The notes of ada.\n")
    for request in servers[0].requests {
      #expect(request.fields["Gatebook-Account"] == nil)
      #expect(request.fields["Authorization"]?.contains("own") != true)
    }
    let facts = try stage.status()
    #expect(facts["requests"]?.integer == 3)
    #expect(
      facts["programs"]?.list?.first?.object?["program"]?.text?.hasSuffix("/curl") == true)
    #expect(try stage.end().exit == 0)
    // The first was asked twice.
    let used = try stage.scene.run("log", "--json", "--kind", "proxy.used").output
    let counts = used.split(separator: "\n").map { line in
      JSONDocument.read(Array(line.utf8))?.object?["data"]?.object?["forwarded"]?.integer
    }
    #expect(counts.compactMap { $0 }.sorted() == [1, 2], "\(used)")
    #expect(used.split(separator: "\n").allSatisfy { $0.contains(#""curl""#) }, "\(used)")
  }

  @Test func `nothing leads to a server that is nobody's`() throws {
    defer { for server in servers { server.stop() } }
    let counts = servers.map(\.requests.count)
    for (line, code) in [
      (["http://evil.example/a"], "origin.foreign"),
      (["http://127.0.0.1:9/a"], "origin.foreign"),
      (["-H", "Gatebook-Account: second", servers[0].url + "/private/notes"], "configuration."),
      (["-H", "Gatebook-Account: none", servers[0].url + "/private/notes"], "configuration."),
      (["--request-target", servers[1].url + "/private/", servers[0].url + "/"], "proxy.target"),
      (["-H", "Upgrade: websocket", servers[0].url + "/private/"], "proxy.upgrade"),
      (["-X", "TRACE", servers[0].url + "/private/"], "proxy.trace"),
      (["-H", "Host: evil.example@127.0.0.1", servers[0].url + "/"], "proxy.malformed"),
      (["-H", "Host: evil.example/..", servers[0].url + "/"], "proxy.malformed"),
      (["http://localhost/private/notes"], "configuration."),
    ] as [([String], String)] {
      let answer = try Daemon(
        ["curl", "-s", "--max-time", "20", "--unix-socket", stage.path] + line,
        ["PATH": "/usr/bin:/bin"]
      ).end().output
      #expect(answer.contains(#""code":"\#(code)"#), "\(line) \(answer)")
    }
    #expect(servers.map(\.requests.count) == counts)
  }

  @Test func `two accounts at one server need a name, unless one is the current one`() throws {
    defer { for server in servers { server.stop() } }
    let url = servers[0].url + "/private/notes"
    #expect(try stage.curl(url) == "The notes of ada.\n")
    let log = try stage.scene.run("whoami", "--json").output
    #expect(log.contains(#""label":"second""#), "\(log)")
  }
}
