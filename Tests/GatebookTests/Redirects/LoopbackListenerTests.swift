import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

@Suite struct LoopbackListenerTests {
  private let transport = CurlTransport()

  private func visit(_ url: String) async throws -> HTTPReply {
    try await transport.send(.get(try #require(HTTPURL(url))), through: Route(pool: "browser"))
  }

  @Test(arguments: [nil, "http://[::1]:0/x", "http://127.0.0.1:0/a/b"] as [String?])
  func `a redirect arrives whole`(_ uri: String?) async throws {
    let listener = try LoopbackListener(uri: uri == "http://[::1]:0/x" ? nil : uri)
    async let redirect = listener.redirect()
    let reply = try await visit("\(listener.uri)?code=a%20b&state=s")
    #expect(reply.status == 200)
    #expect(reply.fields.first("Cache-Control") == "no-store")
    #expect(!String(decoding: reply.body, as: UTF8.self).contains("state"))
    #expect(try await redirect == "\(listener.uri)?code=a%20b&state=s")
  }

  @Test(arguments: [
    "?code=secret&state=s", "?oauth_token=s&oauth_verifier=secret",
    "?error=access_denied&state=secret", "?oauth_problem=secret", "?state=secret", "",
  ])
  func `where no login says what becomes of it the page sends back to the application`(
    _ query: String
  ) async throws {
    let listener = try LoopbackListener()
    let reply = try await visit(listener.uri + query)
    let page = String(decoding: reply.body, as: UTF8.self)
    #expect(page.contains("Return to the application: it shows how the login ended."), "\(page)")
    for word in ["secret", "access_denied", "was received"] { #expect(!page.contains(word)) }
  }

  /// RFC 9112 section 3.2.2.
  @Test(
    arguments: [
      ("http://127.0.0.1:%/callback?code=1&state=s", "HTTP/1.1 200", "?code=1&state=s"),
      ("HTTP://127.0.0.1:%/callback?code=2", "HTTP/1.1 200", "?code=2"),
      ("http://127.0.0.1:%/callback", "HTTP/1.1 200", ""),
      ("/callback?code=http://a/b", "HTTP/1.1 200", "?code=http://a/b"),
      ("http://127.0.0.1:%/favicon.ico", "HTTP/1.1 404", nil),
      ("http://127.0.0.1:%", "HTTP/1.1 404", nil),
      ("http://127.0.0.1:%?code=1", "HTTP/1.1 404", nil),
      ("https://127.0.0.1:%/callback?code=1", "HTTP/1.1 400", nil),
      ("callback?code=1", "HTTP/1.1 400", nil), ("*", "HTTP/1.1 400", nil),
      ("", "HTTP/1.1 400", nil),
    ] as [(String, String, String?)])
  func `a target may have the absolute form`(
    _ target: String, _ status: String, _ query: String?
  ) async throws {
    let listener = try LoopbackListener()
    let port = try #require(HTTPURL(listener.uri)?.origin.port)
    let visitor = try RawVisitor(
      port: UInt16(port),
      "GET \(target.replacing("%", with: "\(port)")) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(visitor.answer()?.hasPrefix(status) == true)
    guard let query else { return }
    #expect(try await listener.redirect() == listener.uri + query)
  }

  @Test func `connections on which nothing is said hold up no redirect`() async throws {
    let listener = try LoopbackListener()
    let port = try #require(HTTPURL(listener.uri)?.origin.port)
    let idle = try (1...80).map { _ in try IdleConnection(port: UInt16(port)) }
    // One after the other they would hold it up for more than two minutes.
    let begun = SuspendingClock.now
    #expect(try await visit("\(listener.uri)?code=1").status == 200)
    #expect(begun.duration(to: .now) < .seconds(60))
    #expect(try await listener.redirect() == "\(listener.uri)?code=1")
    withExtendedLifetime(idle) {}
  }

  @Test func `other paths are not heard`() async throws {
    let listener = try LoopbackListener()
    let redirect = Task { () throws(GatebookError) -> String in try await listener.redirect() }
    let base = listener.uri.dropLast("/callback".count)
    #expect(try await visit("\(base)/favicon.ico").status == 404)
    #expect(try await visit("\(base)/callback/more?code=x").status == 404)
    let posted = HTTPRequest("POST", try #require(HTTPURL(listener.uri)))
    #expect(try await transport.send(posted, through: Route(pool: "b")).status == 400)
    #expect(try await visit("\(listener.uri)?code=1").status == 200)
    #expect(try await redirect.value == "\(listener.uri)?code=1")
  }

  @Test(arguments: [
    "https://127.0.0.1:1/x", "http://localhost:8765/x", "http://192.0.2.1:80/", "app:/x", "",
    "http://127.0.0.1:0/x?a=b",
  ])
  func `only loopback addresses are listened on`(_ uri: String) {
    #expect(throws: GatebookError.self) { try LoopbackListener(uri: uri) }
  }

  @Test func `a port that is taken is refused`() throws {
    let first = try LoopbackListener()
    #expect(throws: GatebookError.self) { try LoopbackListener(uri: first.uri) }
  }

  @Test func `a login through a browser that redirects to the port`() async throws {
    let world = try TestBook()
    let server = RedirectServer()
    let book = try await world.open(server.transport)
    let listener = try LoopbackListener()
    let transport = self.transport
    let context = try await book.logIn(
      .redirect(to: listener.uri),
      browser: PageOpener(listener) { page throws(GatebookError) in
        // The person's visit: a stray redirect first, then the real one.
        let state = FormFields(decoding: Array((page.query ?? "").utf8))?["state"] ?? ""
        Task {
          for query in ["code=x&state=stray", "code=code-ada&state=\(state)"] {
            guard let url = HTTPURL("\(listener.uri)?\(query)") else { return }
            // A busy machine may make a browser wait for too long.
            var tries = 1
            while (try? await transport.send(.get(url), through: Route(pool: "browser"))) == nil,
              tries < 5
            {
              tries += 1
            }
          }
        }
      })
    #expect(context.state == .active)
    #expect(try world.kinds().contains("challenge.failed"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a redirect in the middle of a flood reaches the login that shows its page`() async throws {
    let listener = try LoopbackListener()
    let opener = PageOpener(listener) { _ throws(GatebookError) in }
    try await opener.open(#require(HTTPURL("https://portal.example.test/authorize?state=own")))
    let port = UInt16(try #require(HTTPURL(listener.uri)?.origin.port))
    // None of them waits for its page: no login says yet what became of it.
    var visitors = try (0..<(RedirectQueue.limit + 8)).map { number in
      try RawVisitor(
        port: port, "GET /callback?code=x&state=nobody\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    while await listener.arrived.count < RedirectQueue.limit { await Task.yield() }
    visitors.append(
      try RawVisitor(port: port, "GET /callback?code=x&state=own HTTP/1.1\r\nHost: a\r\n\r\n"))
    while await listener.arrived.count == RedirectQueue.limit, !Task.isCancelled {
      await Task.yield()
    }
    var redirects: [String] = []
    while await listener.arrived.count > 0 { redirects.append(try await opener.redirect()) }
    #expect(redirects.count == RedirectQueue.limit + 1)
    #expect(redirects.last == "\(listener.uri)?code=x&state=own")
    withExtendedLifetime(visitors) {}
  }

  @Test func `a login whose redirect never comes ends with the deadline`() async throws {
    let world = try TestBook()
    let book = try await world.open(RedirectServer().transport)
    let listener = try LoopbackListener()
    let clock = world.clock
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(
        try method(listener),
        browser: PageOpener(listener) { _ throws(GatebookError) in
          clock.advance(by: .seconds(601))
        })
    }
    #expect(try await book.pendingLogins().isEmpty)
    #expect(try world.kinds().suffix(2) == ["challenge.failed", "login.failed"])
  }

  @Test func `a cancelled caller leaves no login waiting`() async throws {
    let world = try TestBook()
    let book = try await world.open(RedirectServer().transport)
    let listener = try LoopbackListener()
    let opened = TestBox(false)
    let method = try method(listener)
    let login = Task { () -> FailureCode? in
      do throws(GatebookError) {
        _ = try await book.logIn(
          method,
          browser: PageOpener(listener) { _ throws(GatebookError) in opened.value = true })
        return nil
      } catch {
        return error.code
      }
    }
    while !opened.value { await Task.yield() }
    login.cancel()
    #expect(await login.value == .cancelled)
    #expect(try await book.pendingLogins().isEmpty)
    #expect(try world.kinds().suffix(2) == ["challenge.cancelled", "login.cancelled"])
  }

  private func method(_ listener: LoopbackListener) throws(GatebookError) -> LoginMethod {
    do { return try .redirect(to: listener.uri) } catch {
      throw GatebookError(.cancelled, "No method.", remedy: "Mend the test.")
    }
  }
}
