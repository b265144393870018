internal import GatebookAuthentication
internal import GatebookEvents
internal import Glibc
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
  /// Takes a request and says nothing.
  private static let silent: RawPeer.Script = { connection in
    guard connection.readRequest() != nil else { return }
    connection.readUntilClose()
  }

  @Test
  func `a request cancelled under way closes its connection and leaves the outcome open`()
    async throws
  {
    try await RawPeer.run(Self.silent) { peer in
      let transport = CurlTransport.forTests()
      let request = HTTPRequest("POST", try peer.url())
      let task = Task { await transport.failure(of: request) }
      await peer.journal.waitForRequest()
      task.cancel()
      let failure = await task.value
      #expect(failure?.error.code == .cancelled)
      #expect(failure?.delivery == .maybeSent)
      await peer.journal.waitForClose(of: 0)
    }
  }

  @Test
  func `a request cancelled before it starts is never sent`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport.forTests()
      let request = HTTPRequest("POST", try peer.url())
      let failure = await withTaskGroup(of: TransportFailure?.self) { group in
        group.cancelAll()
        group.addTask { await transport.failure(of: request) }
        return await group.next() ?? nil
      }
      #expect(failure?.error.code == .cancelled)
      #expect(failure?.delivery == .notSent)
      _ = try await transport.send(.get(try peer.url()))
      #expect(peer.journal.requests.map(\.line) == ["GET / HTTP/1.1"])
    }
  }

  @Test
  func `a request cancelled while its connection is made was not sent`() async throws {
    try await RawPeer.run(RawConnection.silent) { peer in
      let transport = CurlTransport.forTests()
      let request = HTTPRequest("POST", try peer.url(scheme: "https"))
      let task = Task { await transport.failure(of: request) }
      await peer.journal.wait { !$0.isEmpty }
      task.cancel()
      let failure = await task.value
      #expect(failure?.error.code == .cancelled)
      #expect(failure?.delivery == .notSent)
    }
  }

  @Test
  func `cancelling one request leaves the others alone`() async throws {
    let script: RawPeer.Script = { connection in
      guard let request = connection.readRequest() else { return }
      if request.line.contains("silent") {
        connection.readUntilClose()
      } else {
        connection.send(empty)
      }
    }
    try await RawPeer.run(script) { peer in
      let transport = CurlTransport.forTests()
      let silent = HTTPRequest.get(try peer.url("/silent"))
      let task = Task { await transport.failure(of: silent) }
      await peer.journal.waitForRequest()
      #expect(try await transport.send(.get(try peer.url("/other"))).status == 200)
      task.cancel()
      #expect(await task.value?.error.code == .cancelled)
      #expect(try await transport.send(.get(try peer.url("/other"))).status == 200)
    }
  }

  @Test
  func `cancelling at any moment answers every caller once`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport.forTests()
      let request = HTTPRequest.get(try peer.url())
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let task = Task { await transport.failure(of: request) }
            for _ in 0..<(number % 20) { await Task.yield() }
            task.cancel()
            let failure = await task.value
            #expect(failure == nil || failure?.error.code == .cancelled)
          }
        }
      }
    }
  }

  @Test
  func `many requests are under way at the same time`() async throws {
    // Nobody is answered before all have arrived.
    let all = 32
    let barrier = Barrier(all)
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      barrier.wait()
      connection.send(empty)
    }
    try await RawPeer.run(script) { peer in
      let transport = CurlTransport.forTests()
      let url = try peer.url()
      await withTaskGroup(of: TransportFailure?.self) { group in
        for number in 0..<all {
          let method = number.isMultiple(of: 2) ? "GET" : "POST"
          group.addTask { await transport.failure(of: HTTPRequest(method, url)) }
        }
        for await failure in group {
          #expect(failure == nil)
        }
      }
      #expect(peer.journal.requests.count == all)
    }
  }
}

/// A barrier for a number of threads.
// Unchecked: the pointer is set once, and the barrier is made for threads.
private final class Barrier: @unchecked Sendable {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(_ count: Int) {
    pthread_barrier_init(barrier, nil, UInt32(count))
  }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  func wait() {
    pthread_barrier_wait(barrier)
  }
}
