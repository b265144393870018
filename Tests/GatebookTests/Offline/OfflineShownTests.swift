import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// A session that went too long without its server: readers see it before the next use asks.
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
      // Nothing has ended: the next use asks the server.
      #expect(context.isPastOfflineLimit)
      #expect(context.state == restored.state)
      #expect(context.isRecorded)
      #expect(context.since == restored.since)
      #expect(context.position == restored.position)
    }
    let session = try #require(try reader.sessions(at: now).first)
    #expect(session.reason == nil)
    #expect(session.ended == nil)
    // The log itself does not say so, nor does the past.
    #expect(try reader.accounts().first?.state == restored.state)
    #expect(try world.kinds().count == events)
    #expect(try reader.checkProjections().ok)
  }

  @Test(.timeLimit(.minutes(1)))
  func `who listens hears of it without an event`() async throws {
    var seen: [Bool] = []
    for await context in book.contexts(of: ada.account) {
      seen.append(context.isPastOfflineLimit)
      guard seen.count == 1 else { break }
      world.clock.advance(by: Self.day)
    }
    #expect(seen == [false, true])
  }

  @Test func `a confirmation by the server keeps the session usable`() async throws {
    world.clock.advance(by: Self.day)
    #expect(try await book.context(of: ada.account).isPastOfflineLimit)
    #expect(try await book.send(.get(page())).status == 200)
    #expect(try await book.context(of: ada.account).state == .active)
    #expect(try await !book.context(of: ada.account).isPastOfflineLimit)
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

  @Test func `a session that nobody resumed is shown so, too`() async throws {
    #expect(try await book.sync().verified == [ada.account])
    world.clock.advance(by: Self.day * 2)
    let context = try await book.context(of: ada.account)
    #expect(context.state == .active)
    #expect(context.isPastOfflineLimit)
    let why = Told(try await book.why(ada.account))
    #expect(why.answer.hasPrefix("The session is past its offline limit"), "\(why)")
    #expect(try await book.why(ada.account).advice == .useOnline)
  }
}
