internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Proxies that the environment names, in front of servers that only the proxies reach.
struct ProxyTests {
  private static let secret = "canary"

  /// A folder protected by HTTP Basic; requests name its whole URL, as for a proxy.
  private static func proxy() throws -> LoopbackServer {
    let server = try LoopbackServer { request in
      guard request.target.hasPrefix("http://files.invalid/") else {
        return .text("Nobody is there.\n", status: 502)
      }
      guard let given = request.basicCredentials, given.name == "ada", given.password == "pw" else {
        return .text("Who?\n", status: 401, fields: ["WWW-Authenticate": #"Basic realm="x""#])
      }
      return .text("Yours.\n")
    }
    try server.start()
    return server
  }

  private static func login(_ more: String...) -> [String] {
    ["login", "http", "--url", "http://files.invalid/", "--user", "ada", "--password-stdin"] + more
  }

  private func run(
    _ scene: Scene, _ line: [String], _ variables: [String: String]
  ) throws -> ChildProcess.Ending {
    let none = ["http_proxy": "", "https_proxy": "", "ALL_PROXY": ""]
    return try scene.start(
      line, ChildProcess.Streams(input: "pw\n"), environment: none.merging(variables) { $1 }
    ).end()
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `a login and its session pass the proxy, with its name and password`(_ name: String) throws {
    let scene = try Scene()
    let proxy = try Self.proxy()
    defer { proxy.stop() }
    let variables = [name: "http://door:\(Self.secret)@127.0.0.1:\(proxy.port)"]
    let login = try run(scene, Self.login("--allow-cleartext"), variables)
    try #require(login.exit == 0, "\(login.errors)")
    let answer = try run(scene, ["request", "http://files.invalid/"], variables)
    #expect(answer.output == "Yours.\n", "\(answer.errors)")
    let log = try scene.run("log", "--json").output + scene.run("show", "--json").output
    #expect(!(log + login.output + login.errors).contains(Self.secret))
  }

  @Test func `cleartext through a proxy needs the permission, before the password`() throws {
    let scene = try Scene()
    let proxy = try Self.proxy()
    defer { proxy.stop() }
    let ending = try run(
      scene, Self.login(), ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("--allow-cleartext"), "\(ending.errors)")
    #expect(proxy.requests.isEmpty)
  }

  @Test(
    arguments: [
      (["http_proxy": "P"], ["--no-proxy"]), (["HTTP_PROXY": "P"], []),
      (["http_proxy": "P", "no_proxy": "invalid"], []), (["https_proxy": "P"], []),
    ] as [([String: String], [String])])
  func `the proxy is not asked where curl does not ask it, nor with --no-proxy`(
    _ variables: [String: String], _ more: [String]
  ) throws {
    let scene = try Scene()
    let proxy = try Self.proxy()
    defer { proxy.stop() }
    let ending = try run(
      scene, Self.login("--allow-cleartext") + more,
      variables.mapValues { $0 == "P" ? "http://127.0.0.1:\(proxy.port)" : $0 })
    // No name server knows it.
    #expect(ending.exit == 4, "\(ending.errors)")
    #expect(!ending.errors.contains("proxy"), "\(ending.errors)")
    #expect(proxy.requests.isEmpty)
  }

  @Test func `a proxy that is away or wants a password is named with what helps`() throws {
    let scene = try Scene()
    let away = try run(
      scene, Self.login("--allow-cleartext"),
      ["http_proxy": "http://door:\(Self.secret)@127.0.0.1:1"])
    #expect(away.exit == 4)
    #expect(away.errors.contains("through the proxy http://127.0.0.1:1,"), "\(away.errors)")
    #expect(away.errors.contains("`--no-proxy`"), "\(away.errors)")
    #expect(!away.errors.contains(Self.secret))
    let proxy = try LoopbackServer { _ in
      .text("Who?\n", status: 407, fields: ["Proxy-Authenticate": #"Basic realm="x""#])
    }
    try proxy.start()
    defer { proxy.stop() }
    let asked = try run(
      scene, Self.login("--allow-cleartext"),
      ["http_proxy": "http://door:\(Self.secret)@127.0.0.1:\(proxy.port)"])
    #expect(asked.exit == 4)
    #expect(asked.errors.contains("http://NAME:PASSWORD@HOST:PORT"), "\(asked.errors)")
    #expect(!asked.errors.contains(Self.secret))
  }

  @Test func `doctor asks servers through the proxy`() throws {
    let scene = try Scene()
    let proxy = try Self.proxy()
    defer { proxy.stop() }
    let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
    try #require(try run(scene, Self.login("--allow-cleartext"), variables).exit == 0)
    let count = proxy.requests.count
    let doctor = try run(scene, ["doctor"], variables)
    #expect(doctor.output.contains("http://files.invalid: The server answers."), "\(doctor.output)")
    #expect(proxy.requests.count == count + 1)
  }
}
