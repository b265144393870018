import Gatebook
import GatebookTestSupport
import Testing

/// Each look at the book happens when the test wakes who follows it.
@Suite(.timeLimit(.minutes(1)))
struct AccountChangesTests {
  private let world: TestBook
  private let server = BasicServer()
  private let clock = HeldClock(holdsPauses: true)
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport, clock: clock)
  }

  private func follow(_ book: SessionBook, count: Int) -> Task<[[String]], any Error> {
    Task {
      var seen: [[String]] = []
      for try await accounts in book.accountChanges() {
        seen.append(accounts.map(\.state.name))
        if seen.count == count { break }
      }
      return seen
    }
  }

  /// Lets who follows look, and waits until the look has brought nothing more.
  private func look() async {
    clock.wakeAll()
    _ = await clock.sleeper()
  }

  @Test func `the present comes first, then what other processes change`() async throws {
    let other = try await world.open(server.transport)
    var changes = book.accountChanges().makeAsyncIterator()
    #expect(try await changes.next() == [])
    let ada = try await other.logIn(.basic())
    let first = try #require(try await changes.next())
    #expect(first.map(\.id) == [ada.account])
    #expect(first.first?.isCurrent == true)
    _ = try await other.rename(ada.account, to: "work")
    #expect(try await changes.next()?.first?.label == .known("work"))
    _ = try await other.logOut(ada.account)
    #expect(try await changes.next()?.first?.state == .ended(.user))
  }

  @Test func `a commit that changes no account is no change`() async throws {
    let following = follow(book, count: 3)
    _ = await clock.sleeper()
    let kinds = try world.kinds().count
    let wrong = try LoginMethod.basic(password: "byron")
    await expect(.credentialsRefused) { () async throws(GatebookError) in
      _ = try await book.logIn(wrong)
    }
    #expect(try world.kinds().count > kinds)
    await look()
    let ada = try await book.logIn(.basic())
    await look()
    _ = try await book.logOut(ada.account)
    clock.wakeAll()
    #expect(try await following.value == [[], ["active"], ["ended"]])
  }

  @Test func `an expiry is a change, although nobody commits`() async throws {
    let tokens = TokenServer(clock.time)
    tokens.settings.givesRefreshTokens = false
    let other = try TestBook()
    let book = try await other.open(tokens.transport, clock: clock)
    _ = try await book.logIn(tokens.method())
    let following = follow(book, count: 2)
    _ = await clock.sleeper()
    tokens.advance(600)
    clock.wakeAll()
    #expect(try await following.value == [["active"], ["needsLogin"]])
  }

  @Test func `the sequences end when the book is closed, after what was recorded last`()
    async throws
  {
    let lists = follow(book, count: .max)
    _ = await clock.sleeper()
    let ada = try await book.logIn(.basic())
    let contexts = Task {
      var seen: [String] = []
      for await context in book.contexts(of: ada.account) { seen.append(context.state.name) }
      return seen
    }
    _ = await clock.sleeper()
    _ = try await book.logOut(ada.account)
    await book.close()
    // The look that finds the last change is not the last one.
    clock.wakeAll()
    #expect(try await lists.value == [[], ["ended"]])
    #expect(await contexts.value.last == "ended")
  }

  @Test func `a cancelled task gets no more`() async throws {
    let following = follow(book, count: .max)
    _ = await clock.sleeper()
    following.cancel()
    #expect(try await following.value == [[]])
  }
}
