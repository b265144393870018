internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// How the secret of a client comes to the server: by a file, asked for, and by the way it lists.
struct ClientSecretTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
  }

  @Test(arguments: [FakeIdentitySettings.ClientProof.basic, .post])
  func `a secret goes the way that the server lists`(
    _ proof: FakeIdentitySettings.ClientProof
  ) throws {
    server.settings.clientProof = proof
    server.settings.listsClientProof = true
    let file = try scene.secretFile(FakeIdentityServer.secret)
    let ending = try scene.start(
      server.line("oidc", "client-credentials", ["--client-secret-file", file])
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
  }

  @Test func `a client that is refused hears that the server lists another way`() throws {
    server.settings.clientProof = .post
    server.settings.listsClientProof = true
    let file = try scene.secretFile(FakeIdentityServer.secret)
    let ending = try scene.start(
      server.line(
        "oidc", "client-credentials", ["--client-secret-file", file, "--client-auth", "basic"])
    ).end()
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("only client_secret_post."), "\(ending.errors)")
    #expect(ending.errors.contains("--client-auth"), "\(ending.errors)")
    #expect(ending.errors.contains("invalid_client"), "\(ending.errors)")
  }

  /// A server that wants the client's secret, which no option has named.
  private func withoutSecret(_ input: String) throws -> ChildProcess.Ending {
    server.settings.clientProof = .post
    server.settings.listsClientProof = true
    return try scene.start(
      server.line("oidc", "password", ["--password-stdin"]),
      ChildProcess.Streams(
        input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n" + input)
    ).end()
  }

  @Test func `a secret that the server turns out to want is asked for`() throws {
    let ending = try withoutSecret(FakeIdentityServer.secret + "\n")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""user":"ada""#))
  }

  @Test func `without a line for it the options are named that say it`() throws {
    let ending = try withoutSecret("")
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("`--client-secret-file FILE`"), "\(ending.errors)")
    #expect(server.requests.count { $0.path == "/token" } == 1)
  }

  @Test func `the secret is asked for after the password`() throws {
    server.settings.clientProof = .post
    let answers = [
      FakeIdentityServer.user, FakeIdentityServer.password, FakeIdentityServer.secret,
    ]
    let ending = try scene.start(
      server.line("oidc", "password", ["--password-stdin", "--client-auth", "post"]),
      ChildProcess.Streams(input: answers.map { $0 + "\n" }.joined())
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
  }
}
