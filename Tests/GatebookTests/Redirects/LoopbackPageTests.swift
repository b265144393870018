import GatebookCurl
import GatebookFakes
import Testing

@testable import Gatebook

/// What the browser shows after it brought a redirect: what the login that waits says.
@Suite struct LoopbackPageTests {
  /// Hands a login's pages to a visitor, and notes what the login says of each redirect.
  private struct NotingBrowser: Browser {
    let opener: PageOpener
    let endings = TestBox<[RedirectEnding]>([])

    func open(_ page: HTTPURL) async throws(GatebookError) { try await opener.open(page) }

    func redirect() async throws(GatebookError) -> String { try await opener.redirect() }

    func end(_ redirect: String, with ending: RedirectEnding) async {
      endings.withLock { $0.append(ending) }
      await opener.end(redirect, with: ending)
    }
  }

  /// Visits the redirect URI with these queries, one after the other; `STATE` is the login's own.
  private static func visits(
    _ queries: [String], _ uri: String, _ page: HTTPURL
  ) -> Task<[String], Never> {
    let state = FormFields(decoding: Array((page.query ?? "").utf8))?["state"] ?? ""
    return Task {
      let transport = CurlTransport()
      var pages: [String] = []
      for query in queries {
        guard let url = HTTPURL("\(uri)\(query.replacing("STATE", with: state))"),
          let reply = try? await transport.send(.get(url), through: Route(pool: "browser"))
        else { continue }
        pages.append(String(decoding: reply.body, as: UTF8.self))
      }
      return pages
    }
  }

  /// The pages, what the login said of each redirect, and how it ended.
  private func play(
    _ queries: [String]
  ) async throws -> (pages: [String], said: [RedirectEnding], ending: GatebookError?) {
    let world = try TestBook()
    let book = try await world.open(RedirectServer().transport)
    let listener = try LoopbackListener()
    let visits = TestBox<Task<[String], Never>?>(nil)
    let browser = NotingBrowser(
      opener: PageOpener(listener) { page throws(GatebookError) in
        visits.value = Self.visits(queries, listener.uri, page)
      })
    var ending: GatebookError?
    do throws(GatebookError) {
      _ = try await book.logIn(try Self.method(listener), browser: browser)
    } catch {
      ending = error
    }
    let pages = try await #require(visits.value).value
    await book.close()
    withExtendedLifetime(world) {}
    return (pages, browser.endings.value, ending)
  }

  private static func method(_ listener: LoopbackListener) throws(GatebookError) -> LoginMethod {
    do { return try .redirect(to: listener.uri) } catch {
      throw GatebookError(.cancelled, "No method.", remedy: "Mend the test.")
    }
  }

  private static let own = "?code=code-ada&state=STATE"
  private static let refused = "This answer was refused."
  private static let failed = "The answer to the login was received, but the login failed."
  private static let loggedIn = "The answer to the login was received, and you are logged in."

  private static let rows: [(queries: [String], pages: [String], code: FailureCode?)] = [
    ([own], [loggedIn], nil),
    (["?code=code-x&state=stray", own], [refused, loggedIn], nil),
    (["", "?code=code-x", own], [refused, refused, loggedIn], nil),
    (["?state=STATE&state=STATE&code=code-x", own], [refused, loggedIn], nil),
    (["?error=access_denied&state=stray", own], [refused, loggedIn], nil),
    (["?error=access_denied&state=STATE"], [failed], .challengeCancelled),
    // An error without a state belongs to no login.
    (["?error=access_denied", own], [refused, loggedIn], nil),
    (["?code=bad&state=STATE"], [failed], .codeRefused),
    (["?state=STATE"], [failed], .contentUnexpected),
    (["?error=server_error&state=STATE"], [failed], .serverUnavailable),
  ]

  @Test(arguments: rows.indices)
  func `the page says what the login says, and repeats nothing`(_ index: Int) async throws {
    let row = Self.rows[index]
    let (pages, said, ending) = try await play(row.queries)
    #expect(ending?.code == row.code)
    try #require(pages.count == row.pages.count && said.count == row.pages.count)
    for (index, page) in pages.enumerated() {
      #expect(page.contains(row.pages[index]), "\(page)")
      #expect(page.contains("was received") == (row.pages[index] != Self.refused), "\(page)")
      for word in ["code-x", "code-ada", "stray", "access_denied"] {
        #expect(!page.contains(word), "\(page)")
      }
      switch said[index] {
      case .loggedIn: #expect(row.pages[index] == Self.loggedIn)
      case .failed(let error):
        #expect(row.pages[index] == Self.failed)
        #expect(error.message == ending?.message)
        #expect(page.contains(error.message))
      case .refused(let error):
        #expect(row.pages[index] == Self.refused)
        #expect(page.contains(error.message))
      }
    }
  }

  @Test func `a redirect that comes back after the login has ended gets a page at once`()
    async throws
  {
    let (pages, said, ending) = try await play([Self.own, Self.own])
    #expect(ending == nil)
    try #require(pages.count == 2 && said.count == 1)
    #expect(pages[1].contains("Return to the application"), "\(pages)")
    #expect(!pages[1].contains("was received"))
  }

  @Test func `who waits for a page gets one when the listener ends`() async throws {
    var listener: LoopbackListener? = try LoopbackListener()
    let url = try #require(HTTPURL("https://portal.example.test/authorize?state=own"))
    let port = UInt16(try #require(listener.flatMap { HTTPURL($0.uri) }?.origin.port))
    await listener?.expect(from: url)
    let visitor = try RawVisitor(
      port: port, "GET /callback?code=x&state=own HTTP/1.1\r\nHost: a\r\n\r\n")
    while await listener?.arrived.count == 0 { await Task.yield() }
    listener = nil
    #expect(visitor.answer()?.contains("Return to the application") == true)
  }

  @Test func `a page says a failure as text`() {
    let error = GatebookError(.serverRefused, "<b>&</b>", remedy: "None.")
    #expect(RedirectEnding.failed(error).news.contains("<b>&</b>"))
  }
}
