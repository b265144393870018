import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// A session whose known life is over, and which nothing but a login makes live on: readers see it,
/// the next writer records it.
@Suite struct ExpiryTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook
  private let ada: SessionContext

  init() async throws {
    world = try TestBook()
    server = TokenServer(world.clock)
    server.settings.givesRefreshTokens = false
    book = try await world.open(server.transport)
    ada = try await book.logIn(server.method())
  }

  private func expired() throws -> [RecordedEvent] {
    var filter = EventFilter()
    filter.kind = "session.expired"
    return try BookReader.open(at: world.path).events(filter)
  }

  @Test func `readers see it without the log, and without the key`() async throws {
    server.advance(600)
    let events = try world.kinds().count
    let reader = try BookReader.open(at: world.path)
    let now = world.clock.now()
    for context in [
      try await book.context(of: ada.account), try await book.accounts().first,
      try await book.currentContext(), try reader.accounts(at: now).first,
      try reader.context(of: ada.account, at: now),
    ] {
      let context = try #require(context)
      #expect(context.state == .needsLogin(.expired))
      #expect(!context.isRecorded)
      #expect(context.since == ada.expiresAt)
      #expect(context.position == ada.position)
    }
    let session = try #require(try reader.sessions(at: now).first)
    #expect(session.state == "needsLogin")
    #expect(session.reason == .expired)
    #expect(session.ended == ada.expiresAt)
    // The log itself does not say so, nor does the past.
    #expect(try reader.accounts().first?.state == .active)
    #expect(try reader.sessions().first?.ended == nil)
    #expect(
      try await book.context(of: ada.account, asOf: ada.position)?.state == .active)
    #expect(try world.kinds().count == events)
  }

  @Test(arguments: ["send", "token", "restore", "renewNow"])
  func `a use is refused, and recorded once`(_ use: String) async throws {
    server.advance(600)
    let page = try server.page()
    let before = server.asked.count
    for _ in 1...2 {
      let error = await expect(.sessionRefused) { () throws(GatebookError) in
        switch use {
        case "send": _ = try await book.send(page)
        case "token": _ = try await book.token()
        case "restore": _ = try await book.restore(ada.account)
        default: _ = try await book.renewNow(ada.account)
        }
      }
      #expect(error?.message.contains("expired") == true)
      #expect(error?.remedy == "Log in again.")
    }
    let events = try expired()
    #expect(events.count == 1)
    #expect(events.first?.cause == ada.position)
    #expect(events.first?.session == ada.session)
    #expect(try world.kinds().last == "session.expired")
    let context = try await book.context(of: ada.account)
    #expect(context.state == .needsLogin(.expired))
    #expect(context.isRecorded)
    #expect(context.user == ada.user)
    #expect(server.asked.count == before)
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    #expect(try reader.secret(of: ada.account, purpose: "session") == nil)
  }

  @Test func `until its end it serves`() async throws {
    server.advance(599)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try await book.token().value == Secret("acc-1"))
    #expect(try expired().isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `who listens hears of it without an event`() async throws {
    var seen: [SessionState] = []
    for await context in book.contexts(of: ada.account) {
      seen.append(context.state)
      guard seen.count == 1 else { break }
      server.advance(600)
    }
    #expect(seen == [.active, .needsLogin(.expired)])
  }

  @Test func `a new login says first how the former session ended`() async throws {
    server.advance(700)
    let before = try world.kinds().count
    let again = try await book.logIn(server.method())
    #expect(again.account == ada.account)
    #expect(again.state == .active)
    #expect(
      try world.kinds().dropFirst(before)
        == ["login.started", "session.expired", "login.succeeded"])
    let sessions = try BookReader.open(at: world.path).sessions()
    #expect(sessions.map(\.reason) == [.expired, nil])
  }

  @Test func `what was saved can make it live on`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let saved = try await book.logIn(server.method(), options: options)
    server.advance(600)
    #expect(try await book.context(of: saved.account).state == .active)
    let again = try await book.logInAgain(saved.account)
    #expect(again.state == .active)
    #expect(try expired().isEmpty)
  }

  @Test func `what can be renewed, or has no known end, does not expire`() async throws {
    for lifetime: Duration? in [.seconds(600), nil] {
      server.settings.givesRefreshTokens = lifetime != nil
      server.settings.lifetime = lifetime
      let context = try await book.logIn(server.method())
      server.advance(3600)
      #expect(try await book.context(of: context.account).state == .active)
      #expect(try await book.send(server.page()).status == 200)
    }
    #expect(try expired().isEmpty)
  }

  @Test func `a renewal can be the last`() async throws {
    server.settings.givesRefreshTokens = true
    let first = try await book.logIn(server.method())
    #expect(try await book.renewNow(first.account))
    server.advance(3600)
    #expect(try await book.context(of: first.account).state == .active)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try BookReader.open(at: world.path).sessions(at: world.clock.now()).last?.ended == nil)
  }
}
