import Gatebook
import GatebookTestSupport
import Testing

/// A resumed session that went too long without its server: readers see it before the log says so.
@Suite struct OfflineShownTests {
  private static let day = Duration.seconds(86_400)
  private let world: TestBook
  private let server = BasicServer()
  private let book: SessionBook
  private let ada: SessionContext

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport)
    var options = LoginOptions()
    options.offlineLimit = Self.day
    ada = try await book.logIn(.basic(), options: options)
    world.clock.advance(by: .seconds(40_000))
    _ = try await book.restore(ada.account)
  }

  private func page() throws -> HTTPURL {
    try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
  }

  @Test func `readers show it without the log, and without the key`() async throws {
    let restored = try await book.context(of: ada.account)
    #expect(restored.state == .offline(lastVerified: ada.since))
    world.clock.advance(by: Self.day - .seconds(40_000))
    #expect(try await book.context(of: ada.account) == restored)
    world.clock.advance(by: .seconds(1))
    let events = try world.kinds().count
    let reader = try BookReader.open(at: world.path)
    let now = world.clock.now()
    for context in [
      try await book.context(of: ada.account), try await book.accounts().first,
      try await book.currentContext(), try reader.accounts(at: now).first,
      try reader.context(of: ada.account, at: now),
    ] {
      let context = try #require(context)
      #expect(context.state == .needsLogin(.offlineTooLong))
      #expect(!context.isRecorded)
      #expect(context.since == ada.since + Self.day)
      #expect(context.position == restored.position)
    }
    let session = try #require(try reader.sessions(at: now).first)
    #expect(session.reason == .offlineTooLong)
    #expect(session.ended == ada.since + Self.day)
    // The log itself does not say so, nor does the past.
    #expect(try reader.accounts().first?.state == restored.state)
    #expect(try world.kinds().count == events)
    #expect(try reader.checkProjections().ok)
  }

  @Test(.timeLimit(.minutes(1)))
  func `who listens hears of it without an event`() async throws {
    var seen: [SessionState] = []
    for await context in book.contexts(of: ada.account) {
      seen.append(context.state)
      guard seen.count == 1 else { break }
      world.clock.advance(by: Self.day)
    }
    #expect(seen == [.offline(lastVerified: ada.since), .needsLogin(.offlineTooLong)])
  }

  @Test func `the server's word makes it live on`() async throws {
    world.clock.advance(by: Self.day)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.offlineTooLong))
    #expect(try await book.send(.get(page())).status == 200)
    #expect(try await book.context(of: ada.account).state == .active)
    #expect(try !world.kinds().contains("session.ended"))
  }

  @Test func `without that word the next use records it`() async throws {
    world.clock.advance(by: Self.day)
    server.set(.down)
    let page = try page()
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.send(.get(page))
    }
    let context = try await book.context(of: ada.account)
    #expect(context.state == .needsLogin(.offlineTooLong))
    #expect(context.isRecorded)
    #expect(try world.kinds().last == "session.ended")
  }

  @Test func `a session that nobody resumed is not shown so: its next use asks the server`()
    async throws
  {
    #expect(try await book.sync().verified == [ada.account])
    world.clock.advance(by: Self.day * 2)
    #expect(try await book.context(of: ada.account).state == .active)
  }
}
