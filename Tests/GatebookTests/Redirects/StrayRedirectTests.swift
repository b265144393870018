import GatebookFakes
import Testing

@testable import Gatebook

/// Redirects that belong to no login: anybody on the machine can send them.
@Suite struct StrayRedirectTests {
  private let world: TestBook
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(RedirectServer().transport)
  }

  private func begin() async throws -> (pending: PendingLogin, redirect: String) {
    let pending = try await book.beginLogIn(.redirect())
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    let state = try #require(query["state"])
    return (pending, "\(pending.redirectURI)?code=code-ada&state=\(state)")
  }

  private func stray(_ count: Int, _ query: String = "code=x&state=nobody") async {
    for _ in 0..<count {
      let error = await #expect(throws: GatebookError.self) {
        try await book.finishLogIn(redirect: "com.example.app:/callback?\(query)")
      }
      #expect([.stateMismatch, .contentUnexpected].contains(error?.code))
    }
  }

  private func recorded() async throws -> Int {
    try await book.events(after: .start).filter { $0.kind == "challenge.failed" }.count
  }

  @Test(arguments: ["code=x&state=nobody", "state=a&state=b", "error=access_denied", "%"])
  func `the log takes sixteen of them, and the login's end says how many more there were`(
    _ query: String
  ) async throws {
    let (_, redirect) = try await begin()
    await stray(40, query)
    #expect(try await recorded() == 16)
    #expect(try await book.finishLogIn(redirect: redirect).state == .active)
    let answered = try await book.events(after: .start).filter { $0.kind == "challenge.answered" }
    #expect(answered.map { $0.data["dropped"] } == [24])
  }

  @Test func `they are named for what they are, and count as no failed login`() async throws {
    let (_, redirect) = try await begin()
    await stray(3)
    _ = try await book.finishLogIn(redirect: redirect)
    let reader = try BookReader.open(at: world.path)
    #expect(try !world.kinds().contains("login.failed"))
    var filter = EventFilter()
    filter.kind = EventKind.challengeFailed.rawValue
    let event = try #require(try reader.events(filter).last)
    let told = Told(try #require(try reader.why(event.position)))
    #expect(
      told.answer.hasPrefix("A redirect arrived whose state does not belong to any login. "),
      "\(told)")
    #expect(try reader.why(event.position)?.advice == .nothing)
  }

  @Test func `each login may have its own, and what was told is not told again`() async throws {
    let first = try await begin()
    await stray(20)
    #expect(try await book.cancelLogIn(first.pending.id))
    let second = try await begin()
    await stray(16)
    #expect(try await recorded() == 32)
    _ = try await book.finishLogIn(redirect: second.redirect)
    let events = try await book.events(after: .start)
    let ends = events.filter { ["challenge.cancelled", "challenge.answered"].contains($0.kind) }
    #expect(ends.map { $0.data["dropped"] } == [4, nil])
  }

  @Test func `without a login that waits they end too`() async throws {
    await stray(30)
    #expect(try await recorded() == 16)
  }

  /// What the ends of logins have told of those that were not recorded.
  private func told() async throws -> [FactValue] {
    try await book.events(after: .start).filter { $0.kind == "challenge.cancelled" }
      .compactMap { $0.data["dropped"] }
  }

  @Test func `two logins that end at the same time tell of each of them once`() async throws {
    let logins = [try await begin().pending.id, try await begin().pending.id]
    await stray(20)
    let hold = StoreHold()
    await hold.take(try book.store.get())
    let endings = await book.giveUp(logins)
    await hold.arrival()
    // After both: they have counted now, and wait for the store.
    _ = try await book.pendingLogins()
    hold.release()
    for ending in endings { #expect(try await ending.value) }
    #expect(try await told() == [4])
    let third = try await begin()
    await stray(17)
    #expect(try await book.cancelLogIn(third.pending.id))
    #expect(try await told() == [4, 1])
  }

  @Test func `an end that was not recorded leaves them to the next one`() async throws {
    let logins = [try await begin().pending.id, try await begin().pending.id]
    await stray(20)
    let hold = StoreHold()
    await hold.take(try book.store.get())
    let endings = await book.giveUp([logins[0]])
    await hold.arrival()
    endings[0].cancel()
    hold.release()
    let error = await #expect(throws: GatebookError.self) { try await endings[0].value }
    #expect(error?.code == .cancelled)
    #expect(try await book.cancelLogIn(logins[1]))
    #expect(try await told() == [4])
  }
}

extension SessionBook {
  /// Gives logins up at the same time, in the order in which the book gets to them.
  fileprivate func giveUp(_ logins: [SessionID]) -> [Task<Bool, any Error>] {
    logins.map { login in Task { try await cancelLogIn(login) } }
  }
}
