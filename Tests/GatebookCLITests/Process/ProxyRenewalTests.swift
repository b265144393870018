internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Renewals and stronger logins, as programs behind a proxy meet them.
struct ProxyRenewalTests {
  private let stage: ProxyScene

  init() throws { stage = try ProxyScene() }

  private var scene: Scene { stage.scene }

  private static let question = [
    "-H", "Content-Type: application/json", "-d", #"[{"/user/get-current-user":{}}]"#,
    "http://localhost/api/jsonws/invoke",
  ]

  private func ask() throws -> Daemon {
    try Daemon(
      ["curl", "-s", "--max-time", "60", "--unix-socket", stage.path] + Self.question,
      ["PATH": "/usr/bin:/bin"])
  }

  /// Where the renewal is when the proxy is killed, and what there is to fall back on.
  enum Point: String, CaseIterable {
    /// The server has the refresh token, and has not acted on it.
    case beforeServerActs
    /// The server has replaced it, nobody was told, and it takes the former one once more.
    case withGrace
    /// The server has replaced it and kills the chain; saved credentials log in again.
    case withSavedCredentials
  }

  @Test(arguments: Point.allCases)
  func `after a proxy is killed within a renewal, the next one is logged in`(
    _ point: Point
  ) throws {
    if point == .withGrace { scene.portal.switches.refreshTokenGrace = .seconds(60) }
    try scene.logInForTokens(point == .withSavedCredentials ? ["--save-credentials"] : [])
    try scene.expire()
    let sent = scene.refreshCount
    let tokens = scene.portal.secretsIssued.count
    let hasActed = point != .beforeServerActs
    scene.portal.inject(hasActed ? .stallAfterActing : .stallBeforeActing, on: .token)
    let killed = try stage.start()
    let programs = try (0..<4).map { _ in try ask() }
    try scene.wait(forRefreshes: sent + 1)
    if hasActed { try wait(for: "new token") { scene.portal.secretsIssued.count > tokens } }
    killed.signal(SIGKILL)
    #expect(killed.end().exit == -SIGKILL)
    for program in programs { #expect(program.end().output.isEmpty) }
    // The socket that it left is replaced.
    let next = try stage.start()
    for program in try (0..<4).map({ _ in try ask() }) {
      let answer = program.end().output
      #expect(answer.contains(#""screenName":"ada""#), "\(answer)")
    }
    #expect(scene.refreshCount == sent + 2, "one lost renewal, and one for all programs")
    #expect(stage.end(next).exit == 0)
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    #expect(try stage.events("proxy.started").count == 2)
    #expect(try stage.events("proxy.ended").count == 1)
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  @Test func `a token that is refused meanwhile is renewed, and the body is sent again`() throws {
    try scene.logInForTokens()
    let child = try stage.start()
    #expect(try ask().end().output.contains(#""screenName":"ada""#))
    scene.portal.inject(
      .answer { _ in
        .text("", status: 401, fields: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
      }, on: .invoke)
    let sent = scene.refreshCount
    #expect(try ask().end().output.contains(#""screenName":"ada""#))
    #expect(scene.refreshCount == sent + 1)
    #expect(stage.end(child).exit == 0)
  }

  @Test func `a demand for a stronger login reaches the program, with the command that helps`()
    async throws
  {
    let server = try FakeIdentityServer()
    try server.start()
    let child = try scene.start([
      "login", "oidc", "--issuer", server.url, "--client-id", FakeIdentityServer.clientID,
      "--no-browser", "--scopes", "profile", "--label", "work",
    ])
    _ = try await scene.redirect(of: try child.page())
    try #require(child.end().exit == 0)
    let proxy = try stage.start()
    for (target, status, text) in [
      ("/safe", 401, "Not like this.\n"), ("/archive", 403, ""),
    ] {
      let answer = try stage.get(target, "-i")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains("\r\nGatebook-Error: challenge.stepUp\r\n"))
      #expect(
        answer.contains("\r\nGatebook-Remedy: gatebook login --step-up --account work\r\n"))
      #expect(answer.contains("\r\nWWW-Authenticate: Bearer "), "it says what is wanted")
      #expect(answer.hasSuffix(text), "the answer is the server's")
    }
    #expect(try stage.get("/notes") == "The notes of ada.\n", "the session goes on")
    #expect(try scene.run("log", "--json").output.contains(#""check":"step-up""#))
    // The proxy serves on with the stronger login.
    _ = try stage.get("/safe")
    let stronger = try scene.start(["login", "--step-up", "--no-browser", "--json"])
    _ = try await scene.redirect(of: try stronger.page())
    #expect(stronger.end().exit == 0)
    #expect(try stage.get("/safe") == "The safe of ada.\n")
    #expect(stage.end(proxy).exit == 0)
  }

  @Test
  func `a server that demands another nonce for DPoP gets it, and the program sees one answer`()
    throws
  {
    let server = try FakeIdentityServer()
    try server.start()
    server.settings.bindsTokens = true
    server.settings.proofNonce = "nonce-1"
    let login = try scene.start(
      server.line("oidc", "password", ["--password-stdin", "--require-dpop"]),
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    let child = try stage.start()
    for nonce in ["nonce-1", "nonce-2", "nonce-2", "nonce-3"] {
      server.settings.proofNonce = nonce
      let answer = try stage.get("/notes", "-i", "-H", "DPoP: own")
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(nonce): \(answer)")
      #expect(answer.hasSuffix("The notes of ada.\n"))
      #expect(!answer.lowercased().contains("nonce"))
    }
    #expect(stage.end(child).exit == 0)
  }
}
