internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What a server's answer is refused for, with both values and the option that helps.
struct RefusedAnswerTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
  }

  /// A login by name and password, which are read from standard input.
  private func byPassword(
    issuer: String? = nil, _ more: [String] = []
  ) throws -> ChildProcess.Ending {
    try scene.start(
      [
        "login", "oidc", "--issuer", issuer ?? server.url, "--client-id",
        FakeIdentityServer.clientID, "--flow", "password", "--password-stdin", "--json",
      ] + more,
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
  }

  private static let names = [
    ("/realms/a", "/realms/a/"), ("/realms/a/", "/realms/a"), ("", "/"), ("/", ""),
  ]

  @Test(arguments: names)
  func `a slash that is missing, or is too much, says what to type`(
    _ typed: String, _ own: String
  ) throws {
    let name = "\(server.url)\(own)"
    server.issuer = name
    let ending = try byPassword(issuer: server.url + typed)
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("\(server.url)\(typed)."), "\(ending.errors)")
    #expect(ending.errors.contains("it says \(name))"), "\(ending.errors)")
    #expect(ending.errors.contains("Type `--issuer \(name)`."), "\(ending.errors)")
    // What is said to be typed works.
    #expect(try byPassword(issuer: name).exit == 0)
  }

  @Test func `the tenant's id replaces the template`() throws {
    server.settings.changes[.metadata] = ["issuer": #""https://login.example/{tenantid}/v2.0""#]
    let ending = try byPassword()
    #expect(ending.exit == 1)
    for text in [server.url, "https://login.example/{tenantid}/v2.0", "your tenant's ID"] {
      #expect(ending.errors.contains(text), "\(ending.errors)")
    }
  }

  @Test(arguments: ["", "/realms/a"])
  func `the address of the description says what to leave out`(_ path: String) throws {
    server.issuer += path
    let issuer = server.url + path
    let ending = try byPassword(issuer: issuer + "/.well-known/openid-configuration")
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("Leave out"), "\(ending.errors)")
    #expect(ending.errors.contains("Type `--issuer \(issuer)`."), "\(ending.errors)")
    #expect(server.requests.isEmpty)
    #expect(try byPassword(issuer: issuer).exit == 0)
  }

  @Test func `an audience that is not trusted names the option, with and without azp`() throws {
    for party in [nil, "\"\(FakeIdentityServer.clientID)\""] {
      server.settings.changes[.claims] = [
        "aud": "[\"\(FakeIdentityServer.clientID)\",\"api\"]", "azp": party,
      ]
      let ending = try byPassword()
      #expect(ending.exit == 1, "\(ending.errors)")
      #expect(ending.errors.contains("it names api"), "\(ending.errors)")
      #expect(ending.errors.contains("`--trust-audience AUD`"), "\(ending.errors)")
      #expect(try byPassword(["--trust-audience", "api"]).exit == 0)
    }
  }

  private static let grants: [(changes: [String: String?], message: String)] = [
    (["token_type": nil], "has no token_type"), (["token_type": "null"], "has no token_type"),
    (["scope": "7"], "neither a string nor a list of strings"),
    (["scope": "{}"], "neither a string nor a list of strings"),
  ]

  @Test(arguments: grants)
  func `a grant that cannot be read says what is wrong with it`(
    _ changes: [String: String?], _ message: String
  ) throws {
    server.settings.changes[.grant] = changes
    let ending = try byPassword()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test func `a scope that is an array is what was granted`() throws {
    server.settings.changes[.grant] = ["scope": #"["openid","profile"]"#]
    let ending = try byPassword(["--scopes", "profile mail"])
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("The server did not grant: mail."), "\(ending.errors)")
    #expect(try scene.run("log", "--json").output.contains(#""scope":"openid profile""#))
  }

  @Test func `an id with a colon does not go by Basic as it is`() throws {
    let file = try scene.secretFile("canary-secret\n")
    let ending = try scene.start([
      "login", "oidc", "--issuer", server.url, "--client-id", "urn:app", "--client-auth",
      "raw-basic", "--client-secret-file", file, "--flow", "client-credentials",
    ]).end()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("an ID with a colon"), "\(ending.errors)")
    #expect(ending.errors.contains("`--client-auth`"), "\(ending.errors)")
    #expect(!ending.errors.contains("canary"))
    #expect(server.requests.isEmpty)
  }

  // MARK: HTTP authentication

  /// A server with an area protected by Digest and one by Basic.
  ///
  /// It proves that it knows the password by these digits, or not at all.
  private static func digestServer(proof: String? = nil) throws -> LoopbackServer {
    let server = try LoopbackServer { request in
      let isAnswer = request.fields["Authorization"]?.hasPrefix("Digest ") == true
      switch request.path {
      case "/digest" where isAnswer:
        guard let proof else { return .text("The notes.\n") }
        return .text("The notes.\n", fields: ["Authentication-Info": "rspauth=\"\(proof)\""])
      case "/digest":
        return .text(
          "Who are you?\n", status: 401,
          fields: [
            "WWW-Authenticate": #"Digest realm="a", nonce="n", algorithm=SHA-256, qop="auth""#
          ])
      default:
        return .text(
          "Who are you?\n", status: 401, fields: ["WWW-Authenticate": #"Basic realm="a""#])
      }
    }
    try server.start()
    return server
  }

  private func byDigest(_ server: LoopbackServer) throws -> ChildProcess.Ending {
    try scene.run(
      "login", "http", "--url", server.url + "/digest", "--user", "ada", "--password-stdin",
      input: "canary-word\n")
  }

  @Test func `a login by Digest is never weakened, and an area with Basic says so`() throws {
    let server = try Self.digestServer()
    defer { server.stop() }
    let login = try byDigest(server)
    try #require(login.exit == 0, "\(login.errors)")
    let ending = try scene.run("request", server.url + "/basic")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("It asks for Basic, but"), "\(ending.errors)")
    #expect(ending.errors.contains("the login used Digest (SHA-256)."), "\(ending.errors)")
    #expect(ending.output == "Who are you?\n")
    #expect(!server.requests.contains { $0.fields["Authorization"]?.hasPrefix("Basic") == true })
    #expect(try scene.run("request", server.url + "/digest").output == "The notes.\n")
  }

  @Test func `an answer that does not know the password ends with 8`() throws {
    let server = try Self.digestServer(proof: String(repeating: "0", count: 64))
    defer { server.stop() }
    let ending = try scene.run(
      "login", "http", "--url", server.url + "/digest", "--user", "ada", "--password-stdin",
      "--json", input: "canary-word\n")
    #expect(ending.exit == 8, "\(ending.errors)")
    #expect(ending.errors.contains("rspauth"), "\(ending.errors)")
    #expect(!ending.errors.contains("canary"))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
    let log = try scene.run("log", "--json").output
    #expect(log.contains(#""code":"identity.mismatch""#))
    #expect(log.contains(#""fault":"rspauth""#))
  }
}
