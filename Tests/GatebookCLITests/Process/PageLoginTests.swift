internal import Gatebook
internal import GatebookCurl
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Logins on a page of the server, with a scripted person in front of the browser.
struct PageLoginTests {
  @Test func `a redirect to a free port finishes the login`() async throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--json", "--label", "ada"))
    let page = try child.page()
    #expect(page.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
    try scene.registerRedirect(of: page)
    let redirect = try await scene.redirect(of: page)
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""label":"ada","method":"liferay-oauth2-redirect""#))
    let url = try #require(HTTPURL(redirect))
    let fields = try #require(FormFields(decoding: Array((url.query ?? "").utf8)))
    for secret in [fields["code"], fields["state"]] {
      #expect(!(ending.output + ending.errors).contains(try #require(secret)))
    }
    #expect(
      try scene.run(
        "request", "-H", "Content-Type: application/json", "-d",
        #"[{"/user/get-current-user":{}}]"#, scene.portal.url + "/api/jsonws/invoke"
      ).output.contains(#""screenName":"ada""#))
    #expect(scene.portal.requests.last?.scheme == .bearer)
  }

  /// What a browser shows that brings a redirect.
  private static func page(_ uri: String) async throws -> String {
    let url = try #require(HTTPURL(uri))
    let reply = try await CurlTransport().send(.get(url), through: Route(pool: "browser"))
    return String(decoding: reply.body, as: UTF8.self)
  }

  /// The redirect URI that a page names.
  private static func redirectURI(of page: String) throws -> String {
    let query = try #require(HTTPURL(page)?.query)
    return try #require(FormFields(decoding: query.utf8)?["redirect_uri"])
  }

  @Test
  func `a refused redirect is reported in the browser and on the terminal, and the login waits`()
    async throws
  {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--json"))
    let page = try child.page()
    _ = child.nextError()
    try scene.registerRedirect(of: page)
    let uri = try Self.redirectURI(of: page)
    let reason = "This redirect does not belong to any login of the book."
    for query in ["?code=canary&state=stray", "?error=access_denied&state=stray", ""] {
      let shown = try await Self.page(uri + query)
      #expect(shown.contains("This answer was refused. \(reason)"), "\(shown)")
      #expect(!shown.contains("was received"))
      let line = child.nextError()
      #expect(line == "A redirect was refused: \(reason) Still waiting for the server's answer.\n")
    }
    let redirect = try await scene.redirect(of: page, isOpened: false)
    let shown = try await Self.page(redirect)
    #expect(shown.contains("was received, and you are logged in"), "\(shown)")
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(!ending.errors.contains("canary"))
  }

  @Test(arguments: [("?error=access_denied", 130), ("?code=forged", 3)])
  func `the browser says of a login that failed what the command says`(
    _ query: String, _ exit: Int32
  ) async throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin())
    let page = try child.page()
    try scene.registerRedirect(of: page)
    let state = try #require(FormFields(decoding: (HTTPURL(page)?.query ?? "").utf8)?["state"])
    let shown = try await Self.page("\(try Self.redirectURI(of: page))\(query)&state=\(state)")
    let ending = child.end()
    #expect(ending.exit == exit, "\(ending.errors)")
    let told = try #require(shown.firstMatch(of: /login failed\. (.*?) Return to/)?.output.1)
    // The command adds what the server said in brackets.
    #expect(ending.errors.contains(told), "\(told) \(ending.errors)")
  }

  @Test func `the person who denies cancels the login`() async throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin())
    let page = try child.page()
    try scene.registerRedirect(of: page)
    _ = try await scene.redirect(of: page, .ada, .deny)
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the wait, and the log says so`(_ signal: Int32) throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--json"))
    let page = try child.page()
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains(#""code":"cancelled""#))
    #expect(!ending.errors.contains(page))
    #expect(try scene.run("log", "--json").output.contains(#""kind":"login.cancelled""#))
  }

  @Test func `a fixed port is used, and a port in use is an error`() async throws {
    let scene = try Scene()
    let taken = try scene.start(
      scene.pageLogin("--redirect", "http://127.0.0.1:\(scene.portal.port)/callback")
    ).end()
    #expect(taken.exit == 1)
    #expect(taken.errors.contains("cannot listen on loopback port \(scene.portal.port)"))
    // Below the ports that the system assigns automatically.
    let uri = "http://127.0.0.1:\(20_000 + Int(getpid()) % 10_000)/back"
    let child = try scene.start(scene.pageLogin("--redirect", uri))
    let page = try child.page()
    try scene.registerRedirect(of: page)
    let redirect = try await scene.redirect(of: page)
    #expect(redirect.hasPrefix(uri + "?"))
    #expect(child.end().exit == 0)
  }

  @Test func `another process finishes the login, once`() async throws {
    let scene = try Scene()
    let child = try scene.start(
      scene.pageLogin("--redirect", "screens://oauth2_callback", "--json"))
    let redirect = try await scene.redirect(of: try child.page())
    #expect(redirect.hasPrefix("screens://oauth2_callback?"))
    let finished = try scene.run(
      "login", "--callback", "-", "--password-stdin", "--json", input: redirect + "\n")
    #expect(finished.exit == 0, "\(finished.errors)")
    let waiting = child.end()
    #expect(waiting.exit == 0, "\(waiting.errors)")
    #expect(waiting.output == finished.output)
    let again = try scene.run("login", "--callback", redirect, "--json")
    #expect(again.exit == 1)
    #expect(again.errors.contains(#""code":"state.mismatch""#))
    #expect(!again.errors.contains("code="))
  }

  @Test(arguments: [["--callback", "-"], ["--callback", "-", "--password-stdin"]])
  func `a pipe brings the redirect with - alone`(_ line: [String]) async throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    let redirect = try await scene.redirect(of: try child.page())
    // What is copied from a browser often has a blank beside it.
    let finished = try scene.start(
      ["login"] + line, ChildProcess.Streams(input: " \(redirect)\t\n")
    ).end()
    try #require(finished.exit == 0, "\(finished.errors)")
    #expect(child.end().exit == 0)
  }

  @Test(arguments: [[], ["--redirect", "screens://oauth2_callback"]])
  func `the wait says how long it is and how to end it, below the page's own line`(
    _ more: [String]
  ) throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin() + more)
    _ = try child.page()
    let line = child.nextError()
    #expect(line.hasPrefix("Waiting "), "\(line)")
    #expect(line.hasSuffix("for up to 10 minutes. Ctrl-C cancels.\n"), "\(line)")
    child.signal(SIGINT)
    #expect(child.end().exit == 130)
  }

  @Test func `a code that the server refuses ends both processes alike`() async throws {
    let scene = try Scene()
    let child = try scene.start(
      scene.pageLogin("--redirect", "screens://oauth2_callback", "--json"))
    let redirect = try await scene.redirect(of: try child.page())
    let forged = redirect.replacing("?code=", with: "?code=x").replacing("&code=", with: "&code=x")
    #expect(forged != redirect)
    let finished = try scene.run("login", "--callback", forged, "--json")
    #expect(finished.exit == 3, "\(finished.errors)")
    #expect(finished.errors.contains(#""code":"code.refused""#))
    let waiting = child.end()
    #expect(waiting.exit == 3, "\(waiting.errors)")
    #expect(waiting.errors.contains(#""code":"code.refused""#))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test(arguments: [FakePortalUser.ben, .ada])
  func `the account of the redirect's command is whose login it must be`(
    _ user: FakePortalUser
  ) async throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let accounts = try scene.run("accounts", "--json").output
    let child = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    let redirect = try await scene.redirect(of: try child.page(), user)
    let finished = try scene.run("login", "--callback", redirect, "--account", "ada", "--json")
    let waiting = child.end()
    guard user != .ada else {
      #expect(finished.exit == 0, "\(finished.errors)")
      #expect(finished.output.contains(#""label":"ada""#))
      #expect(waiting.exit == 0, "\(waiting.errors)")
      return
    }
    #expect(finished.exit == 8, "\(finished.errors)")
    #expect(finished.output.isEmpty)
    #expect(finished.errors.contains(#""code":"identity.mismatch""#), "\(finished.errors)")
    #expect(waiting.exit == 8, "\(waiting.errors)")
    #expect(try scene.run("accounts", "--json").output == accounts)
  }

  @Test func `a login that waits is not ended by a redirect of somebody else`() async throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    let page = try child.page()
    let foreign = try scene.run(
      "login", "--callback", "screens://oauth2_callback?code=stolen&state=guessed")
    #expect(foreign.exit == 1)
    #expect(!foreign.errors.contains("stolen"))
    let redirect = try await scene.redirect(of: page)
    #expect(try scene.run("login", "--callback", redirect).exit == 0)
    #expect(child.end().exit == 0)
  }

  @Test func `the browser of the environment is started and the address not shown`() async throws {
    let scene = try Scene()
    let pipe = "\(scene.folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let browser = try scene.script(#"printf '%s' "$2" > "$1""#)
    let line = scene.pageLogin().filter { $0 != "--no-browser" }
    let child = try scene.start(line, environment: ["BROWSER": "/none/such:\(browser) \(pipe) %s"])
    let page = try TextFile.read(pipe, what: "page")
    #expect(page.hasPrefix(scene.portal.url + "/o/oauth2/authorize?"))
    try scene.registerRedirect(of: page)
    _ = try await scene.redirect(of: page)
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("Your browser should open a page of \(scene.portal.url)"))
    #expect(!ending.errors.contains("state="))
  }

  @Test func `where a browser starts and fails, the next one of the list shows the page`()
    async throws
  {
    let scene = try Scene()
    let pipe = "\(scene.folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let second = try scene.script(#"printf '%s' "$2" > "$1""#)
    let first = "\(scene.folder)/first"
    try TextFile.write(Array("#!/bin/sh\nexit 3\n".utf8), to: first)
    #expect(chmod(first, 0o700) == 0)
    let line = scene.pageLogin().filter { $0 != "--no-browser" }
    let child = try scene.start(
      line, environment: ["BROWSER": "\(first):/none/such:\(first) %s:\(second) \(pipe) %s"])
    let page = try TextFile.read(pipe, what: "page")
    #expect(page.hasPrefix(scene.portal.url + "/o/oauth2/authorize?"))
    try scene.registerRedirect(of: page)
    _ = try await scene.redirect(of: page)
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(!ending.errors.contains("open http"), "\(ending.errors)")
  }

  @Test func `a person whose browser shows nothing learns what to do`() throws {
    let scene = try Scene()
    let browser = try scene.script("exit 0")
    let line = scene.pageLogin().filter { $0 != "--no-browser" }
    let child = try scene.start(line, environment: ["BROWSER": browser])
    var told = ""
    while !told.contains("Waiting ") {
      let line = child.nextError()
      try #require(!line.isEmpty, "it ended: \(told)")
      told += line
    }
    #expect(told.contains("`--no-browser`"), "\(told)")
    #expect(told.contains("`gatebook login --callback -`"), "\(told)")
    child.signal(SIGINT)
    #expect(child.end().exit == 130)
  }

  @Test func `the wait for a redirect is as long as the option says, which is named at its end`()
    throws
  {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin("--redirect-timeout", "1"))
    _ = try child.page()
    #expect(child.nextError().hasSuffix("for up to 1 second. Ctrl-C cancels.\n"))
    let ending = child.end()
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.errors.contains("`--redirect-timeout S`"), "\(ending.errors)")
    #expect(try scene.run("log", "--json").output.contains(#""code":"challenge.timedOut""#))
    for (value, exit) in [("0", Int32(2)), ("x", 2), ("90000", 2)] {
      #expect(
        try scene.start(scene.pageLogin("--redirect-timeout", value)).end().exit == exit)
    }
  }

  @Test(arguments: ["exit 3", nil])
  func `a browser that fails, or none, leaves the address`(_ text: String?) async throws {
    let scene = try Scene()
    let browser = try text.map { try scene.script($0) } ?? "/none/such"
    let line = scene.pageLogin().filter { $0 != "--no-browser" }
    let child = try scene.start(line, environment: ["BROWSER": browser])
    let page = try child.page()
    try scene.registerRedirect(of: page)
    _ = try await scene.redirect(of: page)
    #expect(child.end().exit == 0)
  }

  @Test func `the code that a page shows is typed on the terminal`() async throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let secret = try scene.secretFile(FakePortalConsumer.sample.secret)
    let child = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--mode", "OAuth", "--no-browser",
        "--consumer-key", FakePortalConsumer.sample.key, "--client-secret-file", secret,
        "--redirect", "oob",
      ], ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.read(until: "Code that \(scene.portal.url) shows: ")
    let line = try #require(shown.split(separator: "\r\n").first { $0.hasPrefix("open http") })
    let ending = try await PortalVisitor(.ada).visit(String(line.dropFirst("open ".count)))
    guard case .verifier(let code) = ending else {
      Issue.record("the visit ended with \(ending)")
      return
    }
    terminal.write(code + "\n")
    let rest = terminal.read(until: ").")
    #expect(
      rest.contains("Logged in to \(scene.portal.url) as \(FakePortalUser.ada.emailAddress) ("),
      "\(rest)")
    #expect(!rest.contains(code))
    terminal.drain()
    #expect(child.end().exit == 0)
  }

  @Test func `the code comes from standard input, after the secret`() async throws {
    let scene = try Scene()
    let child = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--mode", "oauth", "--no-browser",
        "--consumer-key", FakePortalConsumer.sample.key, "--redirect", "oob", "--password-stdin",
        "--json",
      ],
      ChildProcess.Streams(
        input: FakePortalConsumer.sample.secret + "\n", hasMoreInput: true))
    let ending = try await PortalVisitor(.ben).visit(try child.page())
    guard case .verifier(let code) = ending else {
      Issue.record("the visit ended with \(ending)")
      return
    }
    child.write(code + "\n")
    let login = child.end()
    #expect(login.exit == 0, "\(login.errors)")
    #expect(login.output.contains(#""method":"liferay-oauth1""#))
  }

  @Test func `a code that ends without a line leaves no login waiting`() async throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--mode", "oauth", "--no-browser",
      "--consumer-key", FakePortalConsumer.sample.key, "--redirect", "oob", "--password-stdin",
      input: FakePortalConsumer.sample.secret + "\n")
    #expect(ending.exit == 3)
    #expect(try scene.run("log", "--json").output.contains(#""kind":"login.cancelled""#))
  }

  @Test(arguments: [
    ["--redirect", "not a uri"], ["--redirect", ":x"], ["--redirect", ""],
    ["--mode", "basic", "--scopes", "a"], ["--mode", "cookie", "--no-browser"],
    ["--mode", "oauth2-password", "--redirect", "oob"], ["--mode", "oauth3"],
    ["--mode", "oauth2-redirect"], ["--mode", "oauth"],
    ["--mode", "oauth2-redirect", "--client-id", "a", "--client-auth", "post"],
  ])
  func `what does not fit the mode is 2`(_ more: [String]) throws {
    let scene = try Scene()
    let mode = more.contains("--mode") ? [] : ["--mode", "oauth2-redirect", "--client-id", "a"]
    let ending = try scene.start(["login", "liferay", "--server", scene.portal.url] + mode + more)
      .end()
    #expect(ending.exit == 2, "\(ending.errors)")
    #expect(access(scene.book, F_OK) != 0)
  }
}
