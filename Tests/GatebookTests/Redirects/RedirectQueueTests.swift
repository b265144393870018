import Testing

@testable import Gatebook

@Suite struct RedirectQueueTests {
  @Test func `all who wait on one listener get a redirect each`() async {
    let queue = RedirectQueue()
    async let first = queue.next()
    async let second = queue.next()
    await queue.give("a")
    await queue.give("b")
    let both = [await first, await second].compactMap { $0 }
    #expect(both.sorted() == ["a", "b"])
  }

  @Test func `a wait that is cancelled takes no redirect away`() async {
    let queue = RedirectQueue()
    let waiting = Task { await queue.next() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    await queue.give("a")
    #expect(await queue.next() == "a")
  }

  @Test(arguments: [
    ("?client_id=c&state=own%20one", "?code=x&state=own+one"),
    ("?oauth_token=own", "?oauth_token=own&oauth_verifier=x"),
  ])
  func `a flood is bounded, and keeps no redirect out that is expected`(
    page: String, redirect: String
  ) async throws {
    let queue = RedirectQueue()
    await queue.expect(from: try #require(HTTPURL("https://portal.example.test/authorize\(page)")))
    for number in 0..<1000 { await queue.give("app:/callback?code=x&state=nobody\(number)") }
    await queue.give("app:/callback")
    #expect(await queue.count == RedirectQueue.limit)
    await queue.give("app:/callback\(redirect)")
    for number in 0..<RedirectQueue.limit {
      #expect(await queue.next() == "app:/callback?code=x&state=nobody\(number)")
    }
    try #require(await queue.count == 1)
    #expect(await queue.next() == "app:/callback\(redirect)")
    // There is room again.
    await queue.give("app:/callback?state=nobody")
    #expect(await queue.next() == "app:/callback?state=nobody")
  }

  @Test func `who knows what is expected cannot fill the memory with it either`() async throws {
    let queue = RedirectQueue()
    for number in 0..<1000 {
      await queue.expect(
        from: try #require(HTTPURL("https://portal.example.test/authorize?state=\(number)")))
    }
    for number in 0..<1000 { await queue.give("app:/callback?code=\(number)&state=999") }
    await queue.give("app:/callback?code=x&state=0")
    #expect(await queue.count == RedirectQueue.limit + 1)
  }
}
