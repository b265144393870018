internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  /// The failure of a GET, and how many bytes of the answer left the peer until it was cut off.
  private func cutOff(
    _ head: String, repeating piece: [UInt8], upTo total: Int = 200 << 20, limits: HTTPLimits
  ) async throws -> (failure: TransportFailure?, sent: Int) {
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(head)
      connection.send(piece, upTo: total)
    }
    return try await RawPeer.run(script) { peer in
      let request = HTTPRequest("GET", try peer.url("/?token=secret"), limits: limits)
      let failure = await CurlTransport.forTests().failure(of: request)
      await peer.journal.wait { $0.contains { if case .sent = $0 { true } else { false } } }
      let counts = peer.journal.entries.compactMap { entry -> Int? in
        if case .sent(let bytes) = entry { bytes } else { nil }
      }
      return (failure, try #require(counts.first))
    }
  }

  @Test(arguments: ["Content-Length: \(200 << 20)\r\n", ""])
  func `a body is cut off at its limit`(_ length: String) async throws {
    let (failure, sent) = try await cutOff(
      "HTTP/1.1 200 OK\r\n\(length)\r\n", repeating: [UInt8](repeating: 65, count: 65_536),
      limits: .login)
    #expect(failure?.error.code == .limitExceeded)
    #expect(failure?.delivery == .maybeSent)
    // 1 MiB and what the kernel's buffers hold.
    #expect(sent < 32 << 20)
  }

  @Test
  func `the limit counts what comes out of the decompression`() async throws {
    // A deflate stream in fixed codes: the literal 0, then runs of 258 bytes at distance 1, that
    // is, 13 bits for 258 bytes; eight runs are 13 whole bytes (RFC 1951 section 3.2.6).
    let header: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]
    let runs = deflatedRuns()
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      _ = connection.send(header)
      connection.send(runs, upTo: 64 << 20)
    }
    try await RawPeer.run(script) { peer in
      let request = HTTPRequest(
        "GET", try peer.url(), limits: HTTPLimits(total: .seconds(30), body: 8 << 20))
      let failure = await CurlTransport.forTests().failure(of: request)
      #expect(failure?.error.code == .limitExceeded)
      #expect(failure?.delivery == .maybeSent)
    }
  }

  /// A block of one literal and 80,000 runs, about 20 MB once decompressed; more blocks may follow.
  private func deflatedRuns() -> [UInt8] {
    var bits: [Bool] = []
    func append(_ text: String) { bits += text.map { $0 == "1" } }
    append("010")  // not the last block; fixed codes, low bit first
    append("00110000")  // the literal 0
    for _ in 0..<80_000 {
      append("11000101" + "00000")
    }
    append("0000000")  // the block's end
    while !bits.count.isMultiple(of: 8) { bits.append(false) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
  }

  @Test
  func `a body of exactly the limit arrives, one byte more does not`() async throws {
    try await RawPeer.run(
      RawPeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345")
    ) { peer in
      let transport = CurlTransport.forTests()
      let url = try peer.url()
      let fits = HTTPRequest("GET", url, limits: HTTPLimits(body: 5))
      let isTooSmall = HTTPRequest("GET", url, limits: HTTPLimits(body: 4))
      #expect(try await transport.send(fits).body.count == 5)
      #expect(await transport.failure(of: isTooSmall)?.error.code == .limitExceeded)
    }
  }

  @Test(arguments: [
    // many lines
    (
      "X-Flood: \(String(repeating: "x", count: 1000))\r\n", "has a header of more than 65536 bytes"
    ),
    // one line without end
    (String(repeating: "x", count: 1000), "has a header line of more than 100 KiB"),
  ])
  func `a header is cut off at its limit`(_ piece: String, _ words: String) async throws {
    let (failure, sent) = try await cutOff(
      "HTTP/1.1 200 OK\r\nX-Start: ", repeating: Array(piece.utf8),
      limits: HTTPLimits(header: 64 << 10))
    #expect(failure?.error.code == .limitExceeded)
    #expect(failure?.error.message.contains(words) == true)
    #expect(failure?.delivery == .maybeSent)
    #expect(sent < 32 << 20)
  }

  @Test
  func `interim answers without end are cut off too`() async throws {
    let (failure, _) = try await cutOff(
      "", repeating: Array("HTTP/1.1 102 Processing\r\nX-A: 1\r\n\r\n".utf8),
      limits: HTTPLimits(header: 64 << 10))
    #expect(failure?.error.code == .limitExceeded)
  }

  @Test
  func `no answer within the time limit leaves the outcome open`() async throws {
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.readUntilClose()
    }
    try await RawPeer.run(script) { peer in
      let request = HTTPRequest(
        "POST", try peer.url(), limits: HTTPLimits(total: .milliseconds(200)))
      let failure = await CurlTransport.forTests().failure(of: request)
      #expect(failure?.error.code == .networkUnreachable)
      #expect(failure?.delivery == .maybeSent)
      await peer.journal.waitForClose(of: 0)
    }
  }

  @Test(arguments: ["http", "https"])
  func `what is overdue before it left never leaves`(_ scheme: String) async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let request = HTTPRequest(
        "POST", try peer.url(scheme: scheme), limits: HTTPLimits(total: .nanoseconds(1)))
      for _ in 1...5 {
        let failure = await CurlTransport.forTests().failure(of: request)
        #expect(failure?.error.code == .networkUnreachable)
        #expect(failure?.error.fault == "connect.time")
        #expect(failure?.delivery == .notSent)
      }
      // What the peer hears of before one that is answered has left before it.
      _ = try await CurlTransport.forTests().send(.get(try peer.url()), through: .ada)
      #expect(peer.journal.requests.count == 1)
    }
  }

  @Test
  func `a connection that does not come about in time sent nothing`() async throws {
    // The peer accepts, but never speaks TLS.
    try await RawPeer.run(RawConnection.silent) { peer in
      let request = HTTPRequest(
        "POST", try peer.url(scheme: "https"), limits: HTTPLimits(connect: .milliseconds(200)))
      let failure = await CurlTransport.forTests().failure(of: request)
      #expect(failure?.error.code == .networkUnreachable)
      #expect(failure?.delivery == .notSent)
      #expect(failure?.error.fault == "connect.tls")
      #expect(failure?.error.remedy.contains("`http`") == true)
    }
  }
}
