internal import GatebookAuthentication
internal import GatebookEvents
internal import Glibc
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(10)))
struct LifetimeTests {
  @Test
  func `a transport that goes closes its idle connections`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let request = HTTPRequest.get(try peer.url())
      do {
        let transport = CurlTransport.forTests()
        _ = try await transport.send(request)
      }
      await peer.journal.waitForClose(of: 0)
    }
  }

  @Test
  func `a queue whose transport is gone answers what is under way`() async throws {
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.readUntilClose()
    }
    try await RawPeer.run(script) { peer in
      let queue = AskQueue()
      let ask = Ask(HTTPRequest("POST", try peer.url()), .ada)
      async let answer = withCheckedContinuation { continuation in
        #expect(ask.wait(with: continuation))
        #expect(queue.submit(ask))
        #expect(throws: Never.self) {
          try TransferLoop.start(queue, CurlSettings(proxy: .none))
        }
      }
      await peer.journal.waitForRequest()
      queue.stop()
      guard case .failure(let failure) = await answer else {
        Issue.record("answered without an answer")
        return
      }
      #expect(failure.error.code == .cancelled)
      #expect(failure.delivery == .maybeSent)
      await peer.journal.waitForClose(of: 0)
    }
  }

  @Test
  func `transports come and go with requests under way`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let request = HTTPRequest.get(try peer.url())
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let transport = CurlTransport.forTests()
            let task = Task { await transport.failure(of: request) }
            if number.isMultiple(of: 2) { task.cancel() }
          }
        }
      }
    }
  }

  @Test
  func `a missing libcurl fails the first request, and the next`() async throws {
    let transport = CurlTransport(
      CurlSettings(userAgent: nil, proxy: .none, library: "libcurl-of-nobody.so.4"))
    let url = try #require(HTTPURL("http://127.0.0.1:1/"))
    for _ in 0..<2 {
      let failure = await transport.failure(of: .get(url))
      #expect(failure?.error.code == .configurationInvalid)
      #expect(failure?.delivery == .notSent)
      #expect(failure?.error.remedy.contains("libcurl4") == true)
    }
  }

  @Test
  func `libcurl is opened by the first request and not before`() async throws {
    await #expect(processExitsWith: .success) {
      let transport = CurlTransport()
      try #require(try !isLoaded("libcurl"))
      try await withClosedPort { port in
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)/"))
        _ = await transport.failure(of: .get(url))
      }
      try #require(try isLoaded("libcurl"))
    }
  }

  @Test
  func `waiting for an answer takes no processor time`() async throws {
    await #expect(processExitsWith: .success) {
      try await RawPeer.run(RawConnection.silent) { peer in
        let transport = CurlTransport.forTests()
        let limits = HTTPLimits(total: .milliseconds(600))
        let request = HTTPRequest("GET", try peer.url(), limits: limits)
        // The first request opens libcurl and OpenSSL.
        let first = HTTPRequest("GET", try peer.url(), limits: HTTPLimits(total: .milliseconds(1)))
        _ = await transport.failure(of: first)
        let before = clock()
        _ = await transport.failure(of: request)
        // A loop without a wait would take the whole 600 ms.
        try #require(clock() - before < 300_000)
      }
    }
  }
}

/// Whether a file whose path contains a name is mapped into this process.
private func isLoaded(_ name: String) throws -> Bool {
  let file = try #require(fopen("/proc/self/maps", "re"))
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 8192)
  while fgets(&line, CInt(line.count), file) != nil {
    if strstr(line, name) != nil { return true }
  }
  return false
}
