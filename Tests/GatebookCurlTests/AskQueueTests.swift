internal import GatebookAuthentication
internal import Glibc
internal import Testing

@testable internal import GatebookCurl

/// What comes while the thread of a transport does not wait is not lost.
struct AskQueueTests {
  private func isRinging(_ bell: Bell) -> Bool {
    var entry = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  private static let comings: [@Sendable (AskQueue, Ask) -> Void] = [
    { queue, ask in _ = queue.submit(ask) }, { queue, ask in queue.withdraw(ask) },
    { queue, _ in queue.ring() }, { queue, _ in queue.stop() },
  ]

  @Test(arguments: 0..<comings.count)
  func `a thread waits only while nothing comes, and the bell rings only while it waits`(
    _ index: Int
  ) throws {
    let come = Self.comings[index]
    let bell = try #require(Bell())
    let url = try #require(HTTPURL("http://peer.example/"))
    let ask = Ask(.get(url), .ada)
    let queue = AskQueue()
    #expect(queue.submit(ask))
    queue.attend(bell)
    #expect(!queue.fallsAsleep())
    #expect(queue.take().waiting.count == 1)

    come(queue, ask)
    #expect(!isRinging(bell))
    #expect(!queue.fallsAsleep())
    #expect(!queue.take().isEmpty)

    #expect(queue.fallsAsleep())
    come(queue, ask)
    come(queue, ask)
    #expect(isRinging(bell))
    #expect(!queue.leaveIfEmpty())
    #expect(!queue.take().isEmpty)
    #expect(!isRinging(bell))

    #expect(queue.fallsAsleep())
    #expect(queue.leaveIfEmpty())
    come(queue, ask)
    #expect(!isRinging(bell))
  }
}
