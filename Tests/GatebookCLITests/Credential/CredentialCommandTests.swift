internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The helpers as processes, reached by their links.
struct CredentialCommandTests {
  private let scene: Scene
  private let server: LoopbackServer
  private let host: String

  init() throws {
    scene = try Scene()
    server = try PlainServer.start()
    host = String(server.url.dropFirst("http://".count))
  }

  private func logIn(_ label: String = "work") throws {
    let ending = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", "--label", label, input: PlainServer.password + "\n")
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  /// Runs the program under another name.
  private func run(
    _ name: String, _ line: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> ChildProcess.Ending {
    let link = "\(scene.folder)/\(name)"
    if access(link, F_OK) != 0 { try #require(symlink(try ChildProcess.program(), link) == 0) }
    return try ChildProcess(
      line, in: scene, environment: scene.environment.merging(environment) { $1 },
      streams: ChildProcess.Streams(input: input), program: link
    ).end()
  }

  private func git(
    _ operation: String, _ more: String = "", _ options: [String] = []
  ) throws -> ChildProcess.Ending {
    try run(
      "git-credential-gatebook", options + [operation],
      input: "protocol=http\nhost=\(host)\n\(more)\n")
  }

  private var answer: String { "username=ada\npassword=\(PlainServer.password)\n" }

  @Test func `git gets a password, and nobody else's server does`() throws {
    try logIn()
    let ending = try git("get")
    #expect(ending.exit == 0)
    #expect(ending.output == answer)
    #expect(ending.errors.isEmpty)
    for more in ["username=ada\n", "username=work\n", "path=private/x.git\n"] {
      #expect(try git("get", more).output == answer, "\(more)")
    }
    let challenges = [#"Basic realm="x""#, "Basic", "Negotiate", #"Bearer realm="private""#]
    for more in ["path=other/x.git\n"] + challenges.map({ "wwwauth[]=\($0)\n" }) {
      let ending = try git("get", more)
      #expect(ending.output.isEmpty && ending.errors.isEmpty && ending.exit == 0, "\(more)")
    }
    let bob = try git("get", "username=bob\n")
    #expect(bob.output.isEmpty && bob.exit == 0)
    #expect(bob.errors.contains("user bob") && bob.errors.contains("work"))
    let other = try run(
      "git-credential-gatebook", ["get"], input: "protocol=https\nhost=git.example\n\n")
    #expect(other.output.isEmpty && other.errors.isEmpty && other.exit == 0)
  }

  @Test func `what git reports is recorded, and what is none of ours is not`() throws {
    try logIn()
    let before = try scene.kinds().count
    for operation in ["store", "erase", "approve"] {
      let ending = try git(operation, "username=ada\npassword=typed\n")
      #expect(ending.exit == 0 && ending.output.isEmpty && ending.errors.isEmpty)
    }
    #expect(try scene.kinds().count == before)
    #expect(try git("store", answer).exit == 0)
    #expect(try git("erase", answer).exit == 0)
    let kinds = try scene.kinds(after: before)
    #expect(kinds == ["credential.accepted", "credential.rejected"])
    #expect(try git("get").output == answer)
    #expect(try !scene.run("log", "--json").output.contains("pässword"))
  }

  @Test func `an account that needs a login is named with the command for it`() throws {
    try logIn()
    #expect(try scene.run("logout", "work").exit == 0)
    for options in [[], ["--account", "work"]] {
      let ending = try git("get", "", options)
      #expect(ending.output.isEmpty)
      #expect(ending.errors.contains("`gatebook login --account work`"))
      #expect(ending.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a server that the account is not for is named with the login for it`() throws {
    try scene.logInForTokens(["--label", "work"])
    let input = "protocol=http\nhost=localhost:9\n\n"
    for options in [[], ["--account", "work"]] {
      let near = try run("git-credential-gatebook", options + ["get"], input: input)
      #expect(near.output.isEmpty && near.exit == 0)
      #expect(near.errors.contains("--allow-origin http://localhost:9`"), "\(near.errors)")
      #expect(near.errors.split(separator: "\n").count == 1)
    }
    let far = "protocol=https\nhost=git.example\n\n"
    #expect(try run("git-credential-gatebook", ["get"], input: far).errors.isEmpty)
    let named = try run("git-credential-gatebook", ["--account", "work", "get"], input: far)
    #expect(named.errors.contains("--allow-origin https://git.example`"), "\(named.errors)")
  }

  @Test(arguments: ["a line", "host=\u{1}", String(repeating: "x", count: 1 << 20)])
  func `a hostile line is answered by no and one line`(_ line: String) throws {
    try logIn()
    let ending = try run("git-credential-gatebook", ["get"], input: line)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.split(separator: "\n").count == 1)
    #expect(ending.exit != 0)
  }

  @Test func `docker, keyring and kubectl are answered in their own ways`() throws {
    try logIn()
    let got = try run("docker-credential-gatebook", ["get"], input: host + "\n")
    #expect(
      got.output
        == #"{"ServerURL":"\#(host)","Username":"ada","Secret":"\#(PlainServer.password)"}"# + "\n")
    #expect(
      try run("docker-credential-gatebook", ["list"]).output == #"{"\#(host)":"ada"}"# + "\n")
    let none = try run("docker-credential-gatebook", ["get"], input: "registry.example")
    #expect(none.exit == 1)
    #expect(none.output == "credentials not found in native keychain\n")
    let erased = try run("docker-credential-gatebook", ["erase"], input: host)
    #expect(erased.exit == 0 && erased.output.isEmpty)
    #expect(erased.errors.contains("is kept"))
    let other = #"{"ServerURL":"\#(host)","Username":"a","Secret":"b"}"#
    let stored = try run("docker-credential-gatebook", ["store"], input: other)
    #expect(stored.exit == 1)
    #expect(stored.errors.split(separator: "\n").count == 1)
    let service = server.url + "/private/simple/"
    #expect(try run("keyring", ["get", service, "ada"]).output == PlainServer.password + "\n")
    // pip asks for the host alone too: it would send the password by http to a server of https.
    let bare = try run("keyring", ["get", host, "ada"])
    #expect(bare.output.isEmpty && bare.errors.isEmpty && bare.exit == 1)
    #expect(
      try run("keyring", ["get", service, "--mode", "creds"]).output
        == "ada\n\(PlainServer.password)\n")
    // A label beside the password would be refused by the server.
    #expect(try run("keyring", ["get", service, "work"]).exit == 1)
    #expect(
      try run("keyring", ["set", service, "ada"], input: PlainServer.password + "\n").exit == 0)
    #expect(try run("keyring", ["set", service, "ada"], input: "typed\n").exit == 1)
    #expect(try run("keyring", ["del", service, "ada"]).exit == 0)
    #expect(try run("keyring", ["del", service, "nobody"]).exit == 1)
    let kubectl = try scene.run("credential", "kubectl", "--account", "work")
    #expect(kubectl.exit == 1 && kubectl.output.isEmpty)
    #expect(kubectl.errors.contains("no access token"))
    // Each login changes the current account, and the cluster stays.
    let anybody = try scene.run("credential", "kubectl")
    #expect(anybody.exit == 1 && anybody.output.isEmpty)
    #expect(anybody.errors.contains("`--account ACCOUNT`"))
  }

  @Test func `a book without its key is no, and one line`() throws {
    try logIn()
    for line in [["--key", "none", "get"], ["--key", "passphrase", "get"]] {
      let ending = try git(line[2], "", Array(line[..<2]))
      #expect(ending.output.isEmpty)
      #expect(ending.exit == 7)
      #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
    }
    let docker = try run(
      "docker-credential-gatebook", ["get"], input: host, environment: ["GATEBOOK_KEY": "none"])
    #expect(docker.exit == 1)
    #expect(docker.output == "credentials not found in native keychain\n")
  }

  @Test func `a token has its own user name, and kubectl gets it with its end`() throws {
    try scene.logInForTokens()
    let portal = String(scene.portal.url.dropFirst("http://".count))
    let token = try scene.liveToken()
    let input = "protocol=http\nhost=\(portal)\n\n"
    let answer = try run("git-credential-gatebook", ["get"], input: input).output
    #expect(answer.hasPrefix("username=oauth2\npassword=\(token)password_expiry_utc="))
    let named = try run(
      "git-credential-gatebook", ["--token-user", "x-access-token", "get"], input: input)
    #expect(named.output.hasPrefix("username=x-access-token\n"))
    let info =
      #"{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","#
      + #""spec":{"interactive":true,"cluster":{"server":"\#(scene.portal.url)"}}}"#
    let kubectl = try scene.run(
      "credential", "kubectl", environment: ["KUBERNETES_EXEC_INFO": info])
    #expect(kubectl.output.contains(#""apiVersion":"client.authentication.k8s.io/v1beta1""#))
    #expect(kubectl.output.contains(#""token":"\#(token.dropLast())""#))
    #expect(kubectl.output.contains("expirationTimestamp"))
    let foreign = try scene.run(
      "credential", "kubectl",
      environment: [
        "KUBERNETES_EXEC_INFO": info.replacing(scene.portal.url, with: "https://k.example")
      ])
    #expect(foreign.exit == 1 && foreign.output.isEmpty)
    #expect(foreign.errors.contains("--allow-origin"))
  }

  @Test func `an expired token is renewed once for helpers that ask at once`() throws {
    try scene.logInForTokens()
    try scene.expire()
    let portal = String(scene.portal.url.dropFirst("http://".count))
    let before = scene.refreshCount
    let helpers = try (1...4).map { _ in
      try scene.start(
        ["credential", "git", "get"],
        ChildProcess.Streams(input: "protocol=http\nhost=\(portal)\n\n"))
    }
    let answers = helpers.map { $0.end() }
    #expect(Set(answers.map(\.output)).count == 1)
    #expect(answers.allSatisfy { $0.exit == 0 && $0.output.contains("password=") })
    #expect(scene.refreshCount == before + 1)
  }
}
