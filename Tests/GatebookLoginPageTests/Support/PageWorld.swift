import Gatebook
import GatebookCurl
import GatebookLoginPage
import GatebookSystem
import GatebookTestSupport
import Testing

/// A book in a folder of its own, and a login page on one clock with it.
final class PageWorld: Sendable {
  let clock: PageClock
  let folder: String
  let book: SessionBook
  let page: LoginPage
  let browser: PageBrowser
  let news: HeardNews
  let delegate = HeardLogins()

  init(theme: LoginTheme = .default, clock: PageClock = PageClock()) async throws {
    self.clock = clock
    folder = try #require(Files.makeTemporaryFolder(named: "gatebook-page"))
    book = try await SessionBook.open(
      at: "\(folder)/test.gatebook", key: MemoryKeySource(),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: CurlTransport(), clock: clock)
    let news = HeardNews()
    self.news = news
    page = try LoginPage(theme: theme, clock: clock) { await news.hear($0) }
    browser = PageBrowser(page)
    await book.setLoginDelegate(delegate)
  }

  deinit {
    for name in Files.names(in: folder) { Files.remove("\(folder)/\(name)") }
    Files.removeFolder(folder)
  }

  /// Begins a login on the page.
  func begin(
    _ form: LoginForm, options: LoginOptions = LoginOptions()
  ) -> BegunLogin {
    let task: Task<Result<SessionContext, GatebookError>, Never> = Task { [page, book] in
      do throws(GatebookError) {
        return .success(try await page.logIn(form, in: book, options: options))
      } catch {
        return .failure(error)
      }
    }
    return BegunLogin(task: task)
  }

  /// The events of some kinds, all unless given.
  func events(_ kinds: String...) async throws -> [RecordedEvent] {
    try await book.events(after: .start).filter { kinds.isEmpty || kinds.contains($0.kind) }
  }

  /// Whether a text is in one of the book's files, as it is, in hexadecimal or in
  /// base64.
  func holds(_ text: String) -> Bool {
    let patterns = [text, Hex.encode(Array(text.utf8)), Base64.encode(Array(text.utf8))]
    return Files.names(in: folder).contains { name in
      let content = Files.content(of: "\(folder)/\(name)") ?? []
      // Bytes that are no UTF-8 do not matter to what is looked for.
      let readable = String(decoding: content, as: Unicode.ASCII.self)
      return patterns.contains { pattern in
        readable.contains(String(decoding: Array(pattern.utf8), as: Unicode.ASCII.self))
      }
    }
  }
}
