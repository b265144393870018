internal import Gatebook
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

/// `gatebook proxy`, asked by curl.
struct ProxyCommandTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private var path: String { "\(scene.folder)/run/s" }

  /// Starts a proxy at a socket that takes requests.
  private func start(_ more: [String] = []) throws -> ChildProcess {
    let child = try scene.start(["proxy", "--socket", path] + more)
    #expect(child.read(until: "\n") == "\(path)\n")
    return child
  }

  /// What curl prints.
  private func curl(_ line: String...) throws -> String {
    try Daemon(["curl", "-s", "--max-time", "20"] + line, ["PATH": "/usr/bin:/bin"]).end().output
  }

  private func end(_ child: ChildProcess) -> ChildProcess.Ending {
    child.signal(SIGTERM)
    return child.end()
  }

  private func logInAtFolder() throws -> LoopbackServer {
    let server = try PlainServer.start()
    let login = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    return server
  }

  @Test func `Basic at a socket and a port, and both end with a signal`() throws {
    let server = try logInAtFolder()
    defer { server.stop() }
    let child = try start()
    #expect(
      try curl("--unix-socket", path, "http://localhost/private/notes") == "The notes of ada.\n")
    let port = try scene.start(["proxy", "--port", "0", "--json"])
    let line = port.read(until: "\n")
    let told = try #require(PlainJSON.read(Array(line.utf8)))
    let url = try #require(told["url"]?.string)
    let capability = try #require(told["capability"]?.string)
    #expect(try curl("\(url)/private/notes").contains("proxy.capability"))
    #expect(try curl("-u", "any:wrong", "\(url)/private/notes").contains("proxy.capability"))
    for shown in [
      ["-u", "any:\(capability)"], ["-H", "Authorization: Bearer \(capability)"],
      ["-x", url.replacing("//", with: "//any:\(capability)@")],
    ] {
      let target = shown[0] == "-x" ? server.url : url
      let line = ["curl", "-s", "--noproxy", ""] + shown + ["\(target)/private/notes"]
      #expect(
        try Daemon(line, ["PATH": "/usr/bin:/bin"]).end().output == "The notes of ada.\n")
    }
    let ended = end(port)
    #expect(ended.exit == 0, "\(ended.errors)")
    #expect(ended.output == #"{"forwarded":3,"refused":{"capability":2}}"# + "\n")
    let socket = end(child)
    #expect(socket.exit == 0, "\(socket.errors)")
    #expect(socket.errors.contains("Requests forwarded: 1; refused: 0."), "\(socket.errors)")
    #expect(!Files.exists(path))
    for request in server.requests {
      #expect(!request.fields.all.contains { $0.value.contains(capability) })
    }
    let log = try scene.run("log", "--json").output
    #expect(!log.contains(capability) && !ended.errors.contains(capability))
    #expect(log.matches(of: /"kind":"proxy.started"/).count == 2)
    #expect(log.matches(of: /"kind":"proxy.refused"/).count == 1)
  }

  @Test func `large bodies pass in both directions`() throws {
    let server = try logInAtFolder()
    defer { server.stop() }
    let child = try start()
    let file = "\(scene.folder)/body"
    try TextFile.write([UInt8](repeating: 0x61, count: 3_000_000), to: file)
    #expect(
      try curl(
        "--unix-socket", path, "-o", "\(scene.folder)/large", "-w", "%{http_code} %{size_download}",
        "http://localhost/private/large") == "200 \(PlainServer.large)")
    #expect(
      try curl("--unix-socket", path, "--data-binary", "@\(file)", "http://localhost/private/notes")
        == "3000000 bytes\n")
    #expect(
      try curl(
        "--unix-socket", path, "-H", "Transfer-Encoding: chunked", "-H", "Expect:",
        "--data-binary", "@\(file)", "http://localhost/private/notes")
        == "3000000 bytes in chunks\n")
    #expect(
      try curl(
        "--unix-socket", path, "-o", "/dev/null", "-w", "%{http_code} %{exitcode}",
        "http://localhost/private/broken") != "200 0")
    #expect(
      try curl("--unix-socket", path, "-I", "http://localhost/private/notes")
        .contains("HTTP/1.1 200"))
    #expect(end(child).exit == 0)
  }

  @Test func `a bearer token is renewed once for many programs`() throws {
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    let child = try start()
    let second = try scene.start(["proxy", "--socket", "\(scene.folder)/run/t"])
    #expect(second.read(until: "\n").hasSuffix("/t\n"))
    let body = #"[{"/user/get-current-user":{}}]"#
    let programs = try (0..<24).map { number in
      try Daemon(
        [
          "curl", "-s", "--unix-socket", number % 2 == 0 ? path : "\(scene.folder)/run/t", "-H",
          "Content-Type: application/json", "-H", "Authorization: Bearer own", "-d", body,
          "http://localhost/api/jsonws/invoke",
        ], ["PATH": "/usr/bin:/bin"])
    }
    for program in programs {
      let output = program.end().output
      #expect(output.contains(#""screenName":"ada""#), "\(output)")
    }
    #expect(scene.refreshCount == sent + 1)
    #expect(end(child).exit == 0)
    #expect(end(second).exit == 0)
  }

  @Test func `bound tokens prove their key with each request`() throws {
    let server = try FakeIdentityServer()
    try server.start()
    server.settings.bindsTokens = true
    server.settings.proofNonce = "nonce-1"
    let login = try scene.start(
      server.line("oidc", "password", ["--password-stdin", "--require-dpop"]),
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    let child = try start()
    for _ in 0..<2 {
      let answer = try curl("-i", "--unix-socket", path, "http://localhost/notes")
      #expect(answer.hasSuffix("The notes of ada.\n"), "\(answer)")
      #expect(!answer.lowercased().contains("dpop-nonce"))
    }
    #expect(end(child).exit == 0)
  }

  @Test func `cookies of a form stay in the book`() throws {
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", "form", "--url", server.url + "/dologin", "--check", server.url + "/shop/",
      "--user", PlainServer.user, "--password-stdin", input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    let child = try start()
    let answer = try curl(
      "-i", "--unix-socket", path, "-b", "session=own", "http://localhost/shop/")
    #expect(answer.hasSuffix("The basket of ada.\n"), "\(answer)")
    #expect(!answer.lowercased().contains("cookie"))
    #expect(!server.requests.contains { $0.fields["Cookie"]?.contains("own") == true })
    #expect(end(child).exit == 0)
  }

  @Test func `requests of OAuth 1.0a are signed`() async throws {
    let server = try SignedPage.start()
    defer { server.stop() }
    let file = try scene.secretFile(SignedPage.consumerSecret + "\n")
    let login = try scene.start([
      "login", "oauth1", "--request-url", server.url + "/request", "--authorize-url",
      server.url + "/authorize", "--access-url", server.url + "/access", "--consumer-key", "app",
      "--signature", "PLAINTEXT", "--client-secret-file", file, "--check", server.url + "/me",
      "--user", "ada", "--no-browser", "--json",
    ])
    _ = try login.page()
    let callback = try #require(SignedPage.callback(server))
    _ = try await PortalVisitor(.ada).visit(
      callback + "?oauth_token=temporary&oauth_verifier=verifier")
    try #require(login.end().exit == 0)
    let child = try start()
    #expect(try curl("--unix-socket", path, "http://localhost/me") == "You are signed.\n")
    #expect(end(child).exit == 0)
  }

  @Test func `limits are kept, and refusals name the program that asked`() throws {
    let server = try logInAtFolder()
    defer { server.stop() }
    let child = try start(["--read-only", "--path", "/private", "--rate", "1000"])
    let count = server.requests.count
    for _ in 0..<3 {
      #expect(
        try curl("--unix-socket", path, "-d", "a", "http://localhost/private/notes")
          .contains(#""code":"proxy.readOnly""#))
    }
    #expect(
      try curl("--unix-socket", path, "--path-as-is", "http://localhost/private/../open/")
        .contains(#""code":"proxy.path""#))
    #expect(
      try curl("--unix-socket", path, "http://evil.example/private/notes")
        .contains(#""code":"proxy.host""#))
    #expect(server.requests.count == count)
    #expect(
      try curl("--unix-socket", path, "http://localhost/private/notes") == "The notes of ada.\n")
    let ending = end(child)
    #expect(ending.errors.contains("refused: 5 (host 1, path 1, readOnly 3)"), "\(ending.errors)")
    let refused = try scene.run("log", "--json", "--kind", "proxy.refused").output
    #expect(refused.matches(of: /"program":"curl"/).count == 3, "\(refused)")
    let started = try scene.run("log", "--json", "--kind", "proxy.started").output
    #expect(started.contains(#""readOnly":true"#) && started.contains(#""paths":["/private"]"#))
  }

  @Test func `a redirect leads nowhere that the proxy does not allow`() throws {
    let server = try logInAtFolder()
    defer { server.stop() }
    let child = try start(["--read-only", "--path", "/private"])
    let answer = try curl("-i", "--unix-socket", path, "http://localhost/private/away")
    #expect(answer.hasPrefix("HTTP/1.1 302 "), "\(answer)")
    #expect(answer.contains("Location: /open/\r\n"))
    #expect(
      try curl("-L", "--unix-socket", path, "http://localhost/private/away")
        .contains(#""code":"proxy.path""#))
    #expect(!server.requests.contains { $0.path == "/open/" })
    #expect(end(child).exit == 0)
  }

  @Test func `what a program gets when the session has ended or the server is gone`() throws {
    let server = try logInAtFolder()
    let child = try start()
    server.stop()
    let gone = try curl("-i", "--unix-socket", path, "http://localhost/private/notes")
    #expect(gone.hasPrefix("HTTP/1.1 502 "), "\(gone)")
    #expect(gone.contains(#""code":"network.unreachable""#))
    #expect(try scene.run("logout").exit == 0)
    let ended = try curl("-i", "--unix-socket", path, "http://localhost/private/notes")
    #expect(ended.hasPrefix("HTTP/1.1 401 "), "\(ended)")
    #expect(ended.contains(#""code":"session.refused""#))
    #expect(ended.contains("`gatebook login --account "), "\(ended)")
    #expect(end(child).exit == 0)
    let again = try scene.run("proxy", "--socket", path)
    #expect(again.exit == 3, "\(again.errors)")
    #expect(!Files.exists(path))
  }

  @Test func `what cannot be served is said before anything is`() throws {
    let server = try logInAtFolder()
    defer { server.stop() }
    for (line, exit) in [
      (["proxy"], 2), (["proxy", "--socket", path, "--port", "0"], 2),
      (["proxy", "--port", "65536"], 2), (["proxy", "--socket", path, "--rate", "0"], 2),
      (["proxy", "--socket", path, "--path", "private"], 2),
      (["proxy", "--socket", path, "--path", "/a/../b"], 2),
      (["proxy", "--socket", path, "--path", "/a;b"], 2),
      (["proxy", "--socket", path, "--to", server.url + "/private"], 2),
      (["proxy", "--socket", path, "--to", "https://evil.example"], 8),
      (["proxy", "--socket", "/tmp/gatebook-test-socket"], 1),
    ] as [([String], Int32)] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == exit, "\(line) \(ending.errors)")
      #expect(ending.output.isEmpty)
    }
    #expect(!Files.exists(path) && !Files.exists("/tmp/gatebook-test-socket"))
  }

  @Test
  func `a request under way gets its answer after the first signal, and none after the second`()
    throws
  {
    try scene.logIn(.ada)
    for signals in [1, 2] {
      let child = try start()
      let door = Door()
      let count = scene.portal.requests(to: .invoke).count
      scene.portal.inject(door.fault, on: .invoke)
      let program = try Daemon(
        [
          "curl", "-s", "--unix-socket", path, "-H", "Content-Type: application/json", "-d",
          #"[{"/user/get-current-user":{}}]"#, "http://localhost/api/jsonws/invoke",
        ], ["PATH": "/usr/bin:/bin"])
      try GatebookCLITests.wait(for: "a request") {
        scene.portal.requests(to: .invoke).count > count
      }
      child.signal(SIGTERM)
      if signals == 2 {
        child.signal(SIGINT)
        #expect(child.end().exit == 130)
        #expect(program.end().output.isEmpty)
        door.open()
      } else {
        try GatebookCLITests.wait(for: "no new connection") { !LocalSocket.answers(at: path) }
        door.open()
        #expect(program.end().output.contains(#""screenName":"ada""#))
        #expect(child.end().exit == 0)
      }
    }
  }
}
