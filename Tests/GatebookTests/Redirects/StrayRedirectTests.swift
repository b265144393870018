import Gatebook
import GatebookTestSupport
import Testing

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
    try await book.events(after: .start).filter { $0.kind == "login.failed" }.count
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
}
