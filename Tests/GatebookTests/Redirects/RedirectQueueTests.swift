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
}
