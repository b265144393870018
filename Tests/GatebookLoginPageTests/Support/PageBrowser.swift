import Gatebook
import GatebookLoginPage
import GatebookSystem
import Testing

/// A browser that visits a login page: a connection for each request, cookies by hand.
actor PageBrowser {
  let port: Int
  let host: String
  let path: String
  private let token: String
  var cookie: String?
  /// What it sends along with each request.
  private var fields: [String] = []
  /// All that it was sent.
  private(set) var received: [String] = []

  init(_ page: LoginPage) {
    port = page.address.origin.port
    host = "127.0.0.1:\(port)"
    path = page.address.path
    token = page.address.query ?? ""
  }

  /// Sends these fields too from now on.
  func send(along fields: String...) { self.fields += fields }

  /// Visits the address that the app opens, as the first one, and keeps the cookie.
  func open() async throws -> ShownPage {
    let answer = try await get("\(path)?\(token)")
    keep(answer)
    return try await settled(answer)
  }

  /// Keeps the cookie of the first visit.
  func keep(_ answer: PageAnswer) {
    #expect(answer.status == 200)
    cookie = answer.field("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
    #expect(cookie != nil)
  }

  /// Asks for a target, the page unless given.
  func get(_ target: String? = nil) async throws -> PageAnswer {
    try await answer("GET \(target ?? path) HTTP/1.1", ["Host: \(host)"])
  }

  /// Reloads, and waits as a browser does until the screen stays.
  func reload() async throws -> ShownPage { try await settled(try await get()) }

  /// Sends a form as a browser does that shows it; no redirect is followed.
  @discardableResult
  func post(
    _ page: ShownPage, button: String = "submit", _ answers: KeyValuePairs<String, String> = [:]
  ) async throws -> PageAnswer {
    var pairs = [("screen", page.screen)] + answers.map { ($0.key, $0.value) }
    if !button.isEmpty { pairs.append(("button", button)) }
    return try await post(FormBody.of(pairs))
  }

  /// Sends a body.
  @discardableResult
  func post(_ body: String, _ other: String...) async throws -> PageAnswer {
    try await answer(
      "POST \(path) HTTP/1.1",
      [
        "Host: \(host)", "Origin: http://\(host)",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: \(body.utf8.count)",
      ] + other, body)
  }

  /// Sends a form, and follows to the screen that comes then.
  func submit(
    _ page: ShownPage, button: String = "submit", _ answers: KeyValuePairs<String, String> = [:]
  ) async throws -> ShownPage {
    let answer = try await post(page, button: button, answers)
    #expect(answer.status == 303)
    #expect(answer.field("Location") == path)
    return try await reload()
  }

  /// Sends a request as it is.
  func answer(
    _ line: String, _ lines: [String], _ body: String = ""
  ) async throws -> PageAnswer {
    let own = (cookie.map { ["Cookie: \($0)"] } ?? []) + fields
    let answer = try #require(
      await raw(([line] + lines + own + ["", ""]).joined(separator: "\r\n") + body))
    received.append(answer.body)
    return answer
  }

  /// Sends bytes, and reads to the end.
  func raw(_ text: String) async throws -> PageAnswer? {
    let connection = try PageConnection(port: port)
    connection.send(text)
    return await connection.answer()
  }

  /// Waits as the page's script does, until no other screen comes without the person's doing.
  private func settled(_ first: PageAnswer) async throws -> ShownPage {
    var last = first
    while last.isBusy {
      let news = try await answer(
        "GET \(path)?wait HTTP/1.1", ["Host: \(host)", "Prefer: return=minimal"])
      #expect(news.status == 204)
      #expect(news.body.isEmpty)
      last = try await get()
    }
    #expect(last.status == 200)
    return last.page
  }

  /// The screen of the work that a form has begun.
  func working(after form: ShownPage) async throws -> ShownPage {
    var last = try await get().page
    while last.screen == form.screen { last = try await get().page }
    return last
  }
}
