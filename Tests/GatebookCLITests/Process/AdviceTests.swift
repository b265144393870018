internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Errors of the library, with the option of the command line that helps.
struct AdviceTests {
  @Test(arguments: [
    (["http", "--url", "http://files.example.test/", "--user", "ada"], "`--allow-cleartext`"),
    (
      [
        "mobilefirst", "--server", "http://mfp.example.test/mfp", "--app", "a", "--check", "c",
        "--user", "ada",
      ], "`--allow-cleartext`"
    ),
  ])
  func `a password without TLS names the option that allows it`(
    _ line: [String], _ option: String
  ) throws {
    let ending = try Scene().start(
      ["login"] + line + ["--password-stdin"], ChildProcess.Streams(input: "x\n")
    ).end()
    #expect(ending.exit == 3)
    #expect(ending.errors.contains(option), "\(ending.errors)")
  }

  @Test(arguments: ["code", "device"])
  func `what would go without TLS is named, and is no password where there is none`(
    _ flow: String
  ) throws {
    let ending = try Scene().start([
      "login", "oidc", "--issuer", "http://id.example.test/", "--client-id", "a", "--flow", flow,
    ]).end()
    #expect(ending.exit == 3)
    #expect(
      ending.errors.contains(
        "The issuer http://id.example.test does not use TLS"), "\(ending.errors)")
    #expect(!ending.errors.contains("--allow-cleartext"), "no issuer may be without")
    let plain = try Scene().start([
      "login", "oauth2", "--token-url", "http://id.example.test/token", "--authorize-url",
      "http://id.example.test/page", "--device-url", "http://id.example.test/device", "--client-id",
      "a", "--user", "ada", "--check", "http://id.example.test/me", "--flow", flow,
    ]).end()
    #expect(plain.exit == 3)
    #expect(plain.errors.contains("The codes and tokens would be sent to"), "\(plain.errors)")
    #expect(plain.errors.contains("`--allow-cleartext`"), "\(plain.errors)")
  }

  @Test func `a label that is taken names --account`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "work")
    let ending = try scene.start([
      "login", "oidc", "--issuer", "http://127.0.0.1:9/", "--client-id", "a", "--label", "work",
      "--no-browser",
    ]).end()
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("`--account NAME`"), "\(ending.errors)")
  }

  @Test func `another server names the option of a new login`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    for more in [[], ["--json"]] {
      let ending = try scene.start(["request", "https://elsewhere.example.test/"] + more).end()
      #expect(ending.exit == 8)
      #expect(ending.errors.contains("log in again with `--allow-origin URL`"), "\(ending.errors)")
    }
  }

  @Test func `the account's own server with the wrong scheme is reported as that`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let url = scene.portal.url.replacing("http:", with: "https:") + "/documents/1"
    let ending = try scene.run("request", url)
    #expect(ending.exit == 8)
    #expect(
      ending.errors.contains("Use `http`: the account's server is \(scene.portal.url)."),
      "\(ending.errors)")
    #expect(!ending.errors.contains("--allow-origin"), "\(ending.errors)")
  }

  @Test func `the account of this book that belongs to a foreign server is named`() throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user, "--label",
      "the files", "--password-stdin", input: PlainServer.password + "\n")
    #expect(login.exit == 0, "\(login.errors)")
    try scene.logIn(.ada)
    let url = server.url + "/private/notes"
    let foreign = try scene.run("request", url)
    #expect(foreign.exit == 8)
    #expect(
      foreign.errors.contains(
        "the files is the account of this book that belongs there: add `--account 'the files'`."),
      "\(foreign.errors)")
    #expect(!foreign.errors.contains("--allow-origin"))
    let own = try scene.run("request", url, "--account", "the files")
    #expect(own.exit == 0, "\(own.errors)")
    #expect(try scene.run("erase", "the files", "--yes").exit == 0)
    #expect(try scene.run("request", url).errors.contains("`--allow-origin URL`"))
  }

  @Test func `a wrong path of a gateway is the configuration's fault, and names --path`() throws {
    let scene = try Scene()
    let gateway = try FakeGateway()
    try gateway.start()
    defer { gateway.stop() }
    let ending = try scene.start(
      [
        "login", "fcsdk", "--server", gateway.url, "--path", "/SDK/login", "--user", "ada",
        "--password-stdin",
      ], ChildProcess.Streams(input: "x\n")
    ).end()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("`--path P`"), "\(ending.errors)")
  }

  @Test func `a check that the server does not know names --check`() throws {
    let scene = try Scene()
    let server = try FakeMobileFirstServer.sample()
    try server.start()
    defer { server.stop() }
    let ending = try scene.start(
      [
        "login", "mobilefirst", "--server", server.url + "/mfp", "--app", "com.example.app",
        "--check", "UserLogni", "--user", "john", "--password-stdin",
      ], ChildProcess.Streams(input: "john\n")
    ).end()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("`--check NAME`"), "\(ending.errors)")
  }

  @Test func `a URL that proves nothing names --url`() throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let ending = try scene.run(
      "login", "http", "--url", server.url + "/open/", "--user", "ada", "--password-stdin",
      input: "x\n")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("`--url`"), "\(ending.errors)")
  }

  @Test(arguments: [
    ("device", "device_authorization_endpoint", "`--device-url`"),
    ("code", "authorization_endpoint", "`--authorize-url`"),
    ("password", "token_endpoint", "`--token-url`"),
  ])
  func `an endpoint that the server does not name is met with its option`(
    _ flow: String, _ endpoint: String, _ option: String
  ) throws {
    let server = try FakeIdentityServer()
    server.settings.changes = [.metadata: [endpoint: nil]]
    try server.start()
    let password = flow == "password" ? ["--password-stdin"] : []
    let ending = try Scene().start(
      server.line("oidc", flow, password), ChildProcess.Streams(input: "ada\nx\n")
    ).end()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "The login needs an endpoint that neither the settings nor the server name. It is "),
      "\(ending.errors)")
    #expect(ending.errors.contains(option), "\(ending.errors)")
  }

  @Test func `for a refresh token of unknown state the command for one more try is shown`() throws {
    let scene = try Scene()
    try scene.logInForTokens(["--label", "work"])
    try scene.expire()
    scene.portal.inject(.dropBeforeActing, on: .token, times: 2)
    // The second use is not within the same outage, unless somebody asks.
    #expect(try scene.run("token").exit == 4)
    #expect(try scene.run("refresh").exit == 4)
    for line in [["token"], ["request", scene.portal.url + "/"]] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 4, "\(ending.errors)")
      #expect(
        ending.errors.contains("try once more with `gatebook refresh --again"), "\(ending.errors)")
    }
    // What was named is named there too.
    let place = ["--account", "work", "--book", scene.book]
    let named = try scene.start(["token"] + place).end().errors
    #expect(
      named.contains("`gatebook refresh --again \(place.joined(separator: " "))`"),
      "\(named)")
    #expect(try scene.run("refresh").exit == 4)
    #expect(try scene.run("refresh", "--again").exit == 0)
    #expect(try scene.run("token").exit == 0)
  }

  @Test func `every option that is advised exists`() {
    let options = Set(
      (GlobalOptions.all + CommandTable.commands.flatMap { $0.help.options }).map(\.name))
    for option in OptionAdvice.options { #expect(options.contains(option), "\(option)") }
  }

  @Test(arguments: ["restore", "logout"])
  func `one account and all of them contradict each other`(_ command: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let before = try scene.run("log", "--json").output
    let ending = try scene.run(command, "--all", "--account", "ada")
    #expect(ending.exit == 2, "\(ending.errors)")
    #expect(ending.errors.contains("cannot be combined"), "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(try scene.run("log", "--json").output == before)
  }

  @Test(arguments: [
    ("oauth2", "Did you mean `oauth2-redirect` or `oauth2-password`? It accepts `basic`"),
    ("OAuth2", "Did you mean `oauth2-redirect` or `oauth2-password`? It accepts `basic`"),
    ("coockie", "Did you mean `cookie`? It accepts `basic`"), ("saml", "It accepts `basic`"),
  ])
  func `a mode that there is not is met with all that may be meant`(
    _ mode: String, _ hint: String
  ) throws {
    let ending = try Scene().run(
      "login", "liferay", "--server", "http://127.0.0.1:9/", "--mode", mode)
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("\n  \(hint)"), "\(ending.errors)")
    #expect(!ending.errors.contains(" \n"))
  }

  @Test func `a first login that reaches nobody speaks of no session`() throws {
    let scene = try Scene()
    scene.portal.stop()
    let line = [
      "login", "http", "--url", scene.portal.url + "/", "--user", "a", "--password-stdin",
    ]
    let first = try scene.start(line, ChildProcess.Streams(input: "x\n")).end()
    #expect(first.exit == 4)
    #expect(first.errors.contains("\n  No account was made.\n"), "\(first.errors)")
    try scene.portal.start()
    try scene.logIn(.ada)
    scene.portal.stop()
    let second = try scene.start(line, ChildProcess.Streams(input: "x\n")).end()
    #expect(second.errors.contains("\n  No session was changed.\n"), "\(second.errors)")
    let request = try scene.run("request", scene.portal.url + "/")
    #expect(request.errors.contains("\n  The session is kept.\n"), "\(request.errors)")
  }
}
