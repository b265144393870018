internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Logins on a server's page where there is no browser, or where a password was given.
struct BrowserlessLoginTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
  }

  private static let password: [FakeIdentitySettings.Place: [String: String?]] = [
    .metadata: ["grant_types_supported": #"["authorization_code","password"]"#]
  ]

  private func logIn(_ more: String..., input: String = "") throws -> ChildProcess.Ending {
    try scene.start(
      ["login", server.url, "--client-id", FakeIdentityServer.clientID] + more,
      ChildProcess.Streams(input: input)
    ).end()
  }

  @Test(arguments: [true, false])
  func `without a browser the ways that the server lists are named, at once and at the end`(
    _ listsGrants: Bool
  ) throws {
    if listsGrants { server.settings.changes = Self.password }
    let ending = try logIn("--label", "work", "--redirect-timeout", "1")
    #expect(ending.exit == 3, "\(ending.errors)")
    let line = { (flow: String) in
      "`gatebook login oidc --issuer \(server.url) --client-id \(FakeIdentityServer.clientID) "
        + "--label work --flow \(flow)`"
    }
    // A server that lists grants and no codes among them has none; one that lists none has an
    // endpoint for them.
    let (named, other) = listsGrants ? ("password", "device") : ("device", "password")
    #expect(ending.errors.split(separator: line(named)).count == 3, "\(ending.errors)")
    #expect(!ending.errors.contains(line(other)), "\(ending.errors)")
    #expect(ending.errors.contains("`--redirect-timeout S` waits longer."), "\(ending.errors)")
    server.stop()
  }

  @Test func `a user and a password from a pipe log in where the server lists that`() throws {
    defer { server.stop() }
    server.settings.changes = Self.password
    let ending = try logIn(
      "--user", FakeIdentityServer.user, "--password-stdin",
      input: FakeIdentityServer.password + "\n")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("--flow password"), "\(ending.errors)")
    #expect(try scene.onlyAccount().state == "active")
  }

  @Test(arguments: [[], ["--flow", "code"]])
  func `a password that no flow reads is refused before anything is sent with it`(
    _ more: [String]
  ) throws {
    defer { server.stop() }
    if !more.isEmpty { server.settings.changes = Self.password }
    let ending = try scene.start(
      ["login", server.url, "--client-id", FakeIdentityServer.clientID, "--user", "ada"]
        + ["--password-stdin"] + more,
      ChildProcess.Streams(input: FakeIdentityServer.password + "\n")
    ).end()
    #expect(ending.exit == 2, "\(ending.errors)")
    #expect(ending.errors.contains("`--password-stdin` has no effect"), "\(ending.errors)")
    #expect(ending.errors.contains("--password-stdin --flow password`"), "\(ending.errors)")
    #expect(try scene.run("whoami").exit == 7)
  }
}
