import Gatebook
import GatebookCrypto
import GatebookLoginPage
import GatebookSystem
import Testing

/// Visitors of a page who are not the person's browser, and what is no request.
@Suite(.timeLimit(.minutes(2)))
struct PageVisitTests {
  private static let secrets = ["ada", "<form", "portal"]

  /// A page that waits for its form, the first visit over or not.
  private func stage(isOpened: Bool = true) async throws -> PortalPage {
    let stage = try await PortalPage()
    _ = stage.world.begin(try stage.form(user: "ada"))
    try await wait(for: "form") { stage.world.clock.sleeping > 0 }
    if isOpened { _ = try await stage.browser.open() }
    return stage
  }

  /// Whether the answer shows nothing of the page, and the person's browser still has it.
  private func expectNothing(
    _ answer: PageAnswer?, _ status: Int, _ stage: PortalPage, _ reason: String?
  ) async throws {
    let answer = try #require(answer)
    #expect(answer.status == status)
    for word in Self.secrets { #expect(!answer.body.contains(word)) }
    #expect(answer.field("Set-Cookie") == nil)
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    let policy = try #require(answer.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(policy.hasSuffix("; frame-ancestors 'none'"))
    for part in ["script", "connect", "unsafe"] { #expect(!policy.contains(part)) }
    #expect(try await stage.browser.reload().heading == "Log in")
    let events = try await stage.world.events("visit.refused")
    #expect(events.map { $0.data["reason"]?.text } == (reason.map { [$0] } ?? []))
    #expect(events.allSatisfy { $0.account == nil })
    let news = await stage.world.news.heard.filter { $0.hasPrefix("refused") }
    #expect(news.count == (reason == nil ? 0 : 1))
  }

  @Test func `the page has all that keeps it safe`() async throws {
    let stage = try await stage()
    let answer = try await stage.browser.get()
    let policy = try #require(answer.field("Content-Security-Policy"))
    for part in [
      "default-src 'none'", "style-src 'sha256-", "script-src 'sha256-", "form-action 'self'",
      "frame-ancestors 'none'", "base-uri 'none'",
    ] {
      #expect(policy.contains(part))
    }
    #expect(!policy.contains("unsafe"))
    for (name, value) in [
      ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Content-Type", "text/html; charset=utf-8"),
      ("Content-Length", "\(answer.body.utf8.count)"),
    ] {
      #expect(answer.field(name) == value)
    }
    #expect(answer.field("Server") == nil)
    #expect(answer.field("Set-Cookie") == nil)
  }

  @Test func `the address works once`() async throws {
    let stage = try await stage()
    let stranger = PageBrowser(stage.world.page)
    let answer = try await stranger.get(
      "\(stage.browser.path)?\(stage.world.page.address.query ?? "")")
    #expect(answer.page.heading == "This page is not available")
    #expect(answer.body.contains("This page was opened before, in another browser."))
    #expect(!answer.body.contains("belongs to another browser"))
    let body = answer.body
    let start = try #require(body.firstRange(of: "<style>")).upperBound
    let end = try #require(body.firstRange(of: "</style>")).lowerBound
    let hash = Base64.encode(HashFunction.sha256.hash(Array(body[start..<end].utf8)))
    let policy = try #require(answer.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-\(hash)'; "))
    try await expectNothing(answer, 403, stage, "spent")
    // With its cookie, the first browser may open the address again.
    let again = try await stage.browser.get(
      "\(stage.browser.path)?\(stage.world.page.address.query ?? "")")
    #expect(again.page.heading == "Log in")
  }

  @Test func `another browser that knows the path sees nothing`() async throws {
    let stage = try await stage()
    let stranger = PageBrowser(stage.world.page)
    await stranger.send(along: "Accept-Language: es")
    let answer = try await stranger.get()
    #expect(answer.body.contains("lang=\"es\""))
    #expect(answer.body.contains("Esta página pertenece a otro navegador."))
    try await expectNothing(answer, 403, stage, "cookie")
  }

  @Test func `a program that guesses the port sees nothing`() async throws {
    let stage = try await stage()
    try await expectNothing(try await stage.browser.get("/"), 404, stage, "path")
  }

  @Test func `a name that leads to this machine opens nothing`() async throws {
    let stage = try await stage()
    let answer = try await stage.browser.answer(
      "GET \(stage.browser.path) HTTP/1.1", ["Host: evil.example:\(stage.browser.port)"])
    try await expectNothing(answer, 404, stage, "host")
  }

  @Test(arguments: ["Origin: https://evil.example", "Origin: null", "X-Origin: none"])
  func `a form of another site does nothing`(_ origin: String) async throws {
    let stage = try await stage()
    let screen = try await stage.browser.reload().screen
    let body = "screen=\(screen)&button=cancel"
    let answer = try await stage.browser.answer(
      "POST \(stage.browser.path) HTTP/1.1",
      [
        "Host: \(stage.browser.host)", origin, "Content-Length: \(body.utf8.count)",
        "Content-Type: application/x-www-form-urlencoded",
      ], body)
    try await expectNothing(answer, 403, stage, "origin")
  }

  @Test func `what browsers ask for unbidden is nobody's news`() async throws {
    let stage = try await stage()
    try await expectNothing(try await stage.browser.get("/favicon.ico"), 404, stage, nil)
  }

  @Test func `HEAD, and a browser that looks ahead, do not use the address up`() async throws {
    let stage = try await stage(isOpened: false)
    let address = "\(stage.browser.path)?\(stage.world.page.address.query ?? "")"
    let head = try await stage.browser.answer(
      "HEAD \(address) HTTP/1.1", ["Host: \(stage.browser.host)"])
    #expect(head.status == 404)
    #expect(head.body.isEmpty)
    #expect(head.field("Content-Length") != "0")
    let ahead = try await stage.browser.answer(
      "GET \(address) HTTP/1.1", ["Host: \(stage.browser.host)", "Sec-Purpose: prefetch"])
    #expect(ahead.status == 404)
    #expect(try await stage.browser.open().heading == "Log in")
    #expect(try await stage.world.events("visit.refused").isEmpty)
  }

  @Test func `a body that is too large is refused before it has come`() async throws {
    let stage = try await stage()
    let answer = try await stage.browser.answer(
      "POST \(stage.browser.path) HTTP/1.1",
      [
        "Host: \(stage.browser.host)", "Origin: http://\(stage.browser.host)",
        "Content-Length: 65537",
      ])
    #expect(answer.status == 413)
    #expect(try await stage.browser.reload().heading == "Log in")
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}",
    "GET / HTTP/1.1\nHost: a\n\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n folded: a\r\n\r\n",
    "GET / HTTP/1.1\r\na b: c\r\n\r\n",
  ])
  func `what is no request is refused, and the person hears of it`(_ text: String) async throws {
    let stage = try await stage()
    let answer = try #require(await stage.browser.raw(text))
    #expect((400..<600).contains(answer.status))
    #expect(answer.status != 404)
    for word in Self.secrets { #expect(!answer.body.contains(word)) }
    let news = stage.world.news
    try await wait(for: "news") { await news.heard.contains { $0.contains("not HTTP") } }
    #expect(try await stage.browser.reload().heading == "Log in")
  }

  @Test(arguments: [
    ("text/plain", "a=b"), ("multipart/form-data", "a=b"), ("application/json", "{}"),
    ("application/x-www-form-urlencoded", "a=%"),
    ("application/x-www-form-urlencoded", "a=%FF"),
  ])
  func `a body that is no form is refused`(_ type: String, _ body: String) async throws {
    let stage = try await stage()
    let answer = try await stage.browser.answer(
      "POST \(stage.browser.path) HTTP/1.1",
      [
        "Host: \(stage.browser.host)", "Origin: http://\(stage.browser.host)",
        "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
      ], body)
    #expect(answer.status == 400)
    #expect(try await stage.browser.reload().notice.isEmpty)
  }

  @Test func `silent connections hold nobody up`() async throws {
    let stage = try await stage()
    let silent = try (0..<65).map { _ in try PageConnection(port: stage.browser.port) }
    for connection in silent.suffix(5) { connection.send("GET /") }
    #expect(try await stage.browser.reload().heading == "Log in")
    // The oldest made room.
    let oldest = await silent[0].answer()
    #expect(oldest == nil)
    withExtendedLifetime(silent) {}
  }

  @Test func `a request may come in pieces`() async throws {
    let stage = try await stage()
    let cookie = try #require(await stage.browser.cookie)
    let slow = try PageConnection(port: stage.browser.port)
    let request =
      "GET \(stage.browser.path) HTTP/1.1\r\nHost: \(stage.browser.host)\r\nCookie: \(cookie)\r\n\r\n"
    for character in request.dropLast() { slow.send(String(character)) }
    // Another browser is served meanwhile.
    #expect(try await stage.browser.reload().heading == "Log in")
    slow.send("\r\n")
    #expect(await slow.answer()?.page.heading == "Log in")
  }

  @Test func `a form may come in pieces`() async throws {
    let stage = try await stage()
    let cookie = try #require(await stage.browser.cookie)
    let slow = try PageConnection(port: stage.browser.port)
    let screen = try await stage.browser.reload().screen
    let body = "screen=\(screen)&button=cancel"
    slow.send(
      "POST \(stage.browser.path) HTTP/1.1\r\nHost: \(stage.browser.host)\r\n"
        + "Origin: http://\(stage.browser.host)\r\nCookie: \(cookie)\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n")
    for character in body.dropLast() { slow.send(String(character)) }
    #expect(try await stage.browser.reload().heading == "Log in")
    slow.send("l")
    #expect(await slow.answer()?.status == 303)
    #expect(try await stage.browser.reload().heading == "The login was canceled")
  }

  @Test func `16 refused visits of a kind are recorded one by one, the others as numbers`()
    async throws
  {
    let stage = try await stage()
    for _ in 0..<18 { _ = try await stage.browser.get("/guess") }
    let stranger = PageBrowser(stage.world.page)
    for _ in 0..<2 { _ = try await stranger.get() }
    // Noise hides no visit of another kind.
    #expect(try await stage.world.events("visit.refused").count == 18)
    #expect(await stage.world.news.heard.count { $0.hasPrefix("refused") } == 18)
    await stage.world.page.close()
    let events = try await stage.world.events("visit.refused")
    #expect(
      events.map { $0.data["reason"]?.text } == Array(repeating: "path", count: 16) + [
        "cookie", "cookie", "path",
      ])
    #expect(events.map { $0.data["count"] } == Array(repeating: nil, count: 18) + [2])
  }

  @Test func `visits before there is a book are recorded once there is one`() async throws {
    let stage = try await PortalPage()
    _ = try await stage.browser.get("/guess")
    #expect(try await stage.world.events("visit.refused").isEmpty)
    #expect(await stage.world.news.heard.count == 1)
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    #expect(try await stage.world.events("visit.refused").count == 1)
    _ = try await stage.browser.submit(form, button: "cancel")
    _ = await login.value
  }
}
