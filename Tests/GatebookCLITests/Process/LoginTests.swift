internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The whole main job by the generic methods: in, out of the network, and back.
struct LoginTests {
  private static let methods: [(method: String, options: [String], page: String, text: String)] = [
    ("http", ["--url", "/private/"], "/private/notes", "The notes of ada.\n"),
    (
      "form", ["--url", "/dologin", "--check", "/shop/"], "/shop/", "The basket of ada.\n"
    ),
  ]

  private func line(_ method: Int, _ server: LoopbackServer) -> [String] {
    let (name, options, _, _) = Self.methods[method]
    return ["login", name, "--user", PlainServer.user, "--password-stdin"]
      + options.map { $0.hasPrefix("/") ? server.url + $0 : $0 }
  }

  @Test(arguments: ["a\tb", "12345", String(repeating: "a", count: 65)])
  func `a label that is none makes no book`(_ label: String) throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "http", "--url", "http://127.0.0.1:1/", "--user", "eve", "--label", label,
      "--password-stdin", input: "secret\n")
    #expect(ending.exit == 2, "\(ending.errors)")
    #expect(access(scene.book, F_OK) != 0)
  }

  @Test(arguments: [0, 1])
  func `a login survives the end of the process and of the server`(_ method: Int) throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let (name, _, page, text) = Self.methods[method]
    let login = try scene.start(
      line(method, server) + ["--label", "mine", "--json"],
      ChildProcess.Streams(input: PlainServer.password + "\n")
    ).end()
    #expect(login.exit == 0, "\(login.errors)")
    #expect(login.output.contains(#""label":"mine","method":"\#(name)""#))
    let answer = try scene.run("request", server.url + page)
    #expect(answer.output == text)
    #expect(answer.exit == 0)
    server.stop()
    #expect(try scene.run("request", server.url + page).exit == 4)
    let restored = try scene.run("restore", "--json")
    #expect(restored.exit == 0)
    #expect(restored.output.contains(#""state":"offline""#))
    #expect(try scene.run("whoami", "--json").output.contains(#""user":"ada""#))
    #expect(try scene.run("accounts", "--json").output.contains(#""current":true"#))
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
    try server.start()
    #expect(try scene.run("request", server.url + page).output == text)
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
  }

  @Test(arguments: [0, 1])
  func `a wrong password is refused and makes no account`(_ method: Int) throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.start(
      line(method, server), ChildProcess.Streams(input: "canary-password\n")
    ).end()
    #expect(login.exit == 3)
    #expect(!login.errors.contains("canary"))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test func `a URL that anybody may read proves nothing`() throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", "http", "--url", server.url + "/open/", "--user", "ada", "--password-stdin",
      "--json", input: "x\n")
    #expect(login.exit == 3)
    #expect(login.errors.contains(#""code":"login.unprovable""#))
  }

  @Test func `a password does not go to another machine without TLS`() throws {
    let scene = try Scene()
    let login = try scene.run(
      "login", "http", "--url", "http://files.example.test/", "--user", "ada",
      "--password-stdin", "--json", input: "x\n")
    #expect(login.exit == 3)
    #expect(login.errors.contains(#""code":"login.cleartext""#))
  }

  @Test(arguments: [
    (
      ["login"],
      "a server's address or a method: `liferay`, `oidc`, `oauth2`, `oauth1`, `http`, `form`"
    ),
    (["login", "liferey"], "Did you mean `gatebook login liferay`?"),
    (["login", "id.example"], "`gatebook login https://id.example`"),
    (["login", "--callback", "x", "http"], "`login http` has no option `--callback`"),
  ])
  func `a login needs an account, an address or a method`(
    _ line: [String], _ hint: String
  ) throws {
    let ending = try Scene().start(line).end()
    #expect(ending.exit == 2)
    #expect(ending.errors.contains(hint), "\(ending.errors)")
  }

  @Test func `no password is in any file beside the book`() throws {
    let scene = try Scene()
    try scene.populate()
    let secrets =
      FakePortalUser.samples.map(\.password) + scene.portal.secretsIssued
      + FakePortalUser.samples.map(\.reminderQueryAnswer)
    var files = 0
    for folder in ["data/gatebook", "config/gatebook", "config/gatebook/keys"] {
      let path = "\(scene.folder)/\(folder)"
      for name in Files.names(in: path) where name != "keys" {
        let bytes = try TextFile.bytes("\(path)/\(name)", what: "file", limit: 1 << 26)
        files += 1
        for secret in secrets where secret.utf8.count > 4 {
          #expect(bytes.firstRange(of: Array(secret.utf8)) == nil, "in \(name)")
        }
      }
    }
    #expect(files >= 3)
  }
}
